// A Pico at its prompt: MicroPython's own REPL on the master end of a pty, with files that outlive resets.
//
// node repl.mjs FD FOLDER MODULES [--cut BYTES] [--room BYTES]
//
// FOLDER holds the board's files between runs, MODULES (Python) the modules that this build lacks, `modules(chip)`.
// Says "ready" on its own output. --cut: the plug is pulled when the host has sent so many bytes;
// --room: so many can be written to files.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "./node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [fdText, folder, modulesPath, ...rest] = process.argv.slice(2);
const fd = Number(fdText);
const plainPath = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../../firmware/wire/hot_loops_python.py");
const option = (name) => (rest.includes(name) ? Number(rest[rest.indexOf(name) + 1]) : Infinity);
const cut = option("--cut");
const NO_SPACE = 28; // ENOSPC as a Pico numbers it
const OWN = ["dev", "home", "proc", "tmp"]; // the system's folders, not the board's
const parent = process.ppid;
const pause = new Int32Array(new SharedArrayBuffer(4));
const chunk = Buffer.alloc(4096);

let received = [];
let receivedCount = 0;
let room = option("--room");
let connected = true;
let memory = "0"; // what the chip keeps over a reset: reason and scratch registers
let wantsReset = false;
let mp = null;
let outgoing = [];
let skip = 0; // bytes of MicroPython's output to leave out

let printed = ""; // the last that MicroPython said, which tells the kind of prompt
let raw = false;

const sleep = (ms) => Atomics.wait(pause, 0, 0, ms);

function pull() {
  if (process.ppid !== parent) process.exit(1);
  try {
    const count = fs.readSync(fd, chunk, 0, chunk.length);
    connected = true;
    receivedCount += count;
    received.push(...chunk.subarray(0, count));
    if (receivedCount >= cut) {
      save();
      process.exit(0);
    }
  } catch (error) {
    if (error.code === "EIO") {
      if (connected) save();
      connected = false; // nobody has the port open
      outgoing = [];
    } else if (error.code !== "EAGAIN") throw error;
    else connected = true;
  }
}

function flush() {
  let data = Buffer.from(outgoing);
  outgoing = [];
  const patience = Date.now() + 500; // as on the real one: then the rest is lost
  while (data.length && Date.now() < patience) {
    try {
      data = data.subarray(fs.writeSync(fd, data));
    } catch (error) {
      if (error.code === "EIO") return;
      if (error.code !== "EAGAIN") throw error;
      sleep(1);
    }
  }
}

function* filesOf(where) {
  for (const name of mp.FS.readdir(where)) {
    if (name === "." || name === ".." || (where === "/" && OWN.includes(name))) continue;
    const at = path.posix.join(where, name);
    const isFolder = mp.FS.isDir(mp.FS.stat(at).mode);
    yield [at, isFolder];
    if (isFolder) yield* filesOf(at);
  }
}

function save() {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const [at, isFolder] of filesOf("/")) {
    if (isFolder) fs.mkdirSync(folder + at);
    else fs.writeFileSync(folder + at, mp.FS.readFile(at));
  }
}

function restore(from, to) {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const at = path.posix.join(to, entry.name);
    if (entry.isDirectory()) {
      mp.FS.mkdir(at);
      restore(path.join(from, entry.name), at);
    } else mp.FS.writeFile(at, fs.readFileSync(path.join(from, entry.name)));
  }
}

const PRELUDE = `
def _install():
    import sys, time, usb
    exec(open("/tmp/modules.py").read(), globals())
    class World:
        def __init__(self):
            self._last, self._us = time.ticks_us(), 0
            self._out = open("/dev/usb", "wb")
        def us(self):
            now = time.ticks_us()
            self._us += time.ticks_diff(now, self._last)
            self._last = now
            return self._us
        def sleep_us(self, count):
            usb.sleep(count)
        def poll(self):
            return usb.poll()
        def read(self):
            return usb.read()
        def room(self):
            return 256
        def write(self, data):
            self._out.write(data)
            self._out.flush()
        def reset(self):
            _keep()
            usb.reset()
    chip = Chip(World())
    global _keep
    def _keep():
        usb.keep(",".join([str(n) for n in [chip.reason] + chip.scratch]))
    kept = [int(n) for n in "MEMORY".split(",")]
    if len(kept) == 9:
        chip.reason, chip.scratch = kept[0], kept[1:]
    # This build has no machine code: plain loops stand where a Pico has them.
    sys.path.append("/tmp")
    import plain
    sys.modules["firmware.wire.hot_loops_python"] = plain
    real = sys
    for name, module in modules(chip).items():
        sys.modules[name] = module
    real.modules["sys"] = Sys(chip, real, real.print_exception)
    import os
    if not hasattr(os, "urandom"):
        class Os:
            def urandom(self, count):
                return bytes([usb.random() for _ in range(count)])
            def __getattr__(self, name):
                return getattr(os, name)
        real.modules["os"] = Os()
_install()
`;

async function boot() {
  wantsReset = false;
  skip = 0;
  mp = await loadMicroPython({
    heapsize: 4 << 20,
    linebuffer: false,
    stdout: (data) => {
      if (wantsReset) return;
      if (skip) skip -= 1;
      else outgoing.push(...data);
      printed = (printed + Buffer.from(data).toString("latin1")).slice(-30);
      if (printed.endsWith("\nraw REPL; CTRL-B to exit")) raw = true;
      if (printed.endsWith("\nMicroPython v")) raw = false;
    },
  });
  mp.registerJsModule("usb", {
    poll: () => {
      flush();
      if (!received.length) pull();
      return received.length > 0;
    },
    read: () => received.shift(),
    sleep: (us) => {
      flush();
      if (us >= 1000) sleep(us / 1000);
    },
    random: () => Math.floor(Math.random() * 256),
    keep: (kept) => {
      memory = kept;
    },
    reset: () => {
      flush();
      wantsReset = true;
    },
  });
  const device = mp.FS.makedev(64, 1);
  mp.FS.registerDevice(device, {
    write: (stream, buffer, offset, length) => {
      flush();
      outgoing.push(...buffer.subarray(offset, offset + length));
      flush();
      return length;
    },
  });
  mp.FS.mkdev("/dev/usb", device);
  mp.FS.writeFile("/tmp/modules.py", fs.readFileSync(modulesPath));
  mp.FS.writeFile("/tmp/plain.py", fs.readFileSync(plainPath));
  restore(folder, "/");
  mp.runPython(PRELUDE.replace("MEMORY", memory));
  const write = mp.FS.write;
  mp.FS.write = (stream, buffer, offset, length, ...more) => {
    if (mp.FS.isFile(stream.node.mode) && (room -= length) < 0) throw new mp.FS.ErrnoError(NO_SPACE);
    return write(stream, buffer, offset, length, ...more);
  };
}

function runMain() {
  if (!mp.FS.analyzePath("/main.py").exists) return;
  try {
    mp.runPython('exec(open("/main.py").read(), {"__name__": "__main__"})');
  } catch (error) {
    if (!wantsReset) outgoing.push(...Buffer.from("Traceback (most recent call last):\r\n" + error.message + "\r\n"));
  }
}

// One byte to the prompt; true when it asks for a soft reset. This build would read a pasted text from the
// system's input, so raw paste (ctrl-E A ctrl-A, then a window of bytes at a time) is spoken here.
const WINDOW = 128;
const ASK = [5, 0x41, 1];
let asked = 0;
let pasted = null;
function type(byte) {
  if (pasted !== null) return paste(byte);
  if (raw && byte === ASK[asked]) {
    asked += 1;
    if (asked === ASK.length) {
      asked = 0;
      pasted = [];
      outgoing.push(0x52, 1, WINDOW & 0xff, WINDOW >> 8, 1);
    }
    return false;
  }
  let soft = false;
  for (const held of ASK.slice(0, asked)) soft = mp.replProcessChar(held) !== 0 || soft;
  asked = 0;
  return mp.replProcessChar(byte) !== 0 || soft;
}

function paste(byte) {
  if (byte !== 4 && byte !== 3) {
    if (pasted.push(byte) % WINDOW === 0) outgoing.push(1);
    return false;
  }
  const text = byte === 4 ? pasted : [];
  pasted = null;
  outgoing.push(4);
  flush();
  for (const one of text) mp.replProcessChar(one);
  skip = 2; // the OK of a text that was typed
  return mp.replProcessChar(4) !== 0;
}

async function main() {
  let wasRaw = false;
  await boot();
  console.log("ready");
  runMain();
  for (;;) {
    if (!wantsReset) mp.replInit();
    if (wasRaw && !wantsReset) mp.replProcessChar(1);
    let soft = false;
    while (!soft && !wantsReset) {
      flush();
      pull();
      if (!received.length) await new Promise((resolve) => setTimeout(resolve, 1));
      while (received.length && !soft && !wantsReset) soft = type(received.shift());
    }
    if (soft) {
      outgoing.push(...Buffer.from("MPY: soft reboot\r\n"));
      mp.runPython("_keep()");
    } else {
      received = [];
      outgoing = [];
    }
    flush();
    save();
    wasRaw = soft && raw;
    raw = false;
    await boot();
    if (!wasRaw) runMain();
  }
}

fs.mkdirSync(folder, { recursive: true });
process.on("SIGTERM", () => {
  save();
  process.exit(0);
});
main();
