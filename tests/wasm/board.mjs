// Runs a virtual board in MicroPython compiled to WebAssembly; talks lines of JSON on stdin and stdout.
//
// Arguments: the folder that holds the package `firmware`, and optionally the number of an inherited file
// descriptor: the master end of a pty, which the board opens as its serial line.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [root, line] = process.argv.slice(2);
const mp = await loadMicroPython({
  heapsize: 16 * 1024 * 1024,
  linebuffer: false,
  stdout: (data) => fs.writeSync(2, data), // what the program prints must not mix with the answers
});

function mount(folder) {
  mp.FS.mkdirTree("/lib/" + folder);
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = folder + "/" + entry.name;
    if (entry.isDirectory() && entry.name !== "__pycache__") mount(name);
    else if (entry.name.endsWith(".py")) mp.FS.writeFile("/lib/" + name, fs.readFileSync(path.join(root, name)));
  }
}
mount("firmware");

if (line !== undefined) {
  const fd = Number(line);
  const tried = (action) => {
    try {
      return action();
    } catch (error) {
      if (error.code === "EAGAIN" || error.code === "EIO") return 0; // nothing there, or no host
      throw error;
    }
  };
  const device = mp.FS.makedev(64, 0);
  mp.FS.registerDevice(device, {
    open() {},
    close() {},
    read: (stream, buffer, offset, length) => tried(() => fs.readSync(fd, buffer, offset, length, null)),
    write: (stream, buffer, offset, length) => tried(() => fs.writeSync(fd, buffer, offset, length, null)),
  });
  mp.FS.mkdev("/dev/line", device);
}

mp.runPython(`
import sys
sys.path.append("/lib")
from firmware.simulator.chips.remote_machine import serve
`);
const serve = mp.globals.get("serve");

// Blocking reads: between two lines there is nothing else to do.
const chunk = Buffer.alloc(65536);
let waiting = "";
for (;;) {
  const count = fs.readSync(0, chunk, 0, chunk.length, null);
  if (count === 0) break; // the parent has gone
  waiting += chunk.toString("latin1", 0, count);
  let end;
  while ((end = waiting.indexOf("\n")) >= 0) {
    const answer = serve(waiting.slice(0, end));
    waiting = waiting.slice(end + 1);
    fs.writeSync(1, answer + "\n");
  }
}
