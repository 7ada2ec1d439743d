// Draws the state that the server sends. It has no words and no rules of its own.
"use strict";

const words = JSON.parse(document.getElementById("words").textContent);
const tongue = `?language=${document.documentElement.lang}`;
let state = JSON.parse(document.getElementById("state").textContent);
const at = (id) => document.getElementById(id);
const SILENT_MS = 30000; // the server says something every 12 s

/** An element with its properties and children; texts are never read as HTML. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("aria")) element.setAttribute(name, value); else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A picture of pixels: one path for each colour. */
function drawn(picture, label) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `0 0 ${picture.rows[0].length} ${picture.rows.length}`);
  svg.setAttribute("shape-rendering", "crispEdges");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label || "");
  const paths = {};
  picture.rows.forEach((row, y) => {
    for (let x = 0; x < row.length;) {
      let end = x + 1;
      while (row[end] === row[x]) end += 1;
      if (picture.colours[row[x]]) paths[row[x]] = `${paths[row[x]] || ""}M${x} ${y}h${end - x}v1H${x}z`;
      x = end;
    }
  });
  for (const [pixel, path] of Object.entries(paths)) {
    const element = document.createElementNS(space, "path");
    element.setAttribute("d", path);
    element.style.fill = `var(--${picture.colours[pixel]})`;
    svg.append(element);
  }
  return svg;
}

function picture(of, label) {
  return of ? make("div", { className: "picture" }, drawn(of, label)) : null;
}

/** A class for names that no narrow column has room for. */
function long(name) {
  const letters = Math.max(...name.split(/\s/).map((word) => word.length));
  return letters > 11 ? " long longest" : letters > 9 ? " long" : "";
}

function card(one) {
  const digit = /^\d+$/.test(one.kind);
  const inside = digit
    ? [make("b", {}, one.kind), make("i", { ariaHidden: "true" }, "●".repeat(Math.min(5, one.kind)), document.createElement("br"), "●".repeat(Math.max(0, one.kind - 5)))]
    : [one.picture ? drawn(one.picture, "") : null, make("small", { className: long(one.name) }, one.name)];
  return make("div", { className: `card c-${one.colour}`, title: one.name }, ...inside);
}

function chips(cards, className) {
  return make("ul", { className }, ...cards.map((one) => make("li", { className: `c-${one.colour}` }, one.name)));
}

// The parts of the page. Each is drawn anew only when what it shows has changed.

const parts = {
  heading: (s) => [s.heading],
  sensors: (s) => s.sensors.map((one) => make("li", { className: one.ok ? "" : "bad", title: one.detail }, one.name)),
  notes: (s) => s.notes.map((one) => make("p", { className: one.look }, one.text)),
  call(s) {
    const asked = s.question;
    at("call").className = asked ? "g-perhaps" : /^p\d$/.test(s.call.look) ? `g-${s.call.look}` : s.call.look === "asked" ? "nobody" : s.call.look;
    if (asked) {
      const answers = asked.answers.map((one) => answer(s, asked, one));
      return [make("div", {}, make("p", { className: "asked" }, (s.control && asked.tap) || asked.text), make("div", { className: "answers" }, ...answers),
        s.control && asked.said ? make("p", { className: "said", role: "status" }, asked.said) : null)];
    }
    const above = s.call.above ? make("p", { className: "who" }, s.call.above) : null;
    const sentence = s.may.length ? make("p", { className: "sentence" }, s.may[0]) : null;
    return [make("div", {}, above, make("p", { className: "big" }, s.call.big), sentence), picture(s.call.picture, "")];
  },
  own: (s) => (s.mine ? own(s) : []),
  desk,
  places(s) {
    const realms = s.places.some((one) => one.figure === "realm");
    at("places").className = `places ${realms ? "realms" : "sleepers"}`;
    at("places").style.setProperty("--places", Math.max(1, s.places.length));
    return s.places.map((one) => place(s, one));
  },
  cards: (s) => [...s.rows, ...(s.played && s.played.length ? [{ name: words.played, cards: s.played }] : [])].map((row) =>
    make("div", {}, make("p", { className: "rowname" }, row.name), make("div", { className: "hand" }, ...row.cards.map(card)))),
  piles(s) {
    const piles = s.piles.map((one) =>
      make("li", {}, make("span", {}, one.name), make("span", {}, one.top ? `${one.top.name} · ${one.many}` : one.many)));
    const people = s.hands.map((one) => make("li", { className: one.on_turn ? `g-${one.ground}` : "" }, `${one.sign} ${one.name} · ${one.many}`));
    return [make("ul", {}, ...piles), make("ul", { className: "people" }, ...people), ...controls(s)];
  },
  may: (s) => [make("ul", {}, ...s.may.slice(s.question ? 0 : 1).map((text) => make("li", {}, text)), ...s.may_not.map((text) => make("li", { className: "not" }, text)))],
  log: (s) => [make("h2", {}, words.log), make("ul", {}, ...s.log.map((one) => make("li", { className: one.kind }, make("span", {}, one.mark), one.text)))],
};
const uses = {
  heading: ["heading"], sensors: ["sensors"], notes: ["notes"], call: ["call", "question", "control", "may"], own: ["mine", "advice", "hands", "players"], desk: ["desk", "live"],
  places: ["places", "control", "live"], cards: ["rows", "played"], piles: ["piles", "hands", "control", "live", "paused", "new_game", "party", "desk"], may: ["may", "may_not", "question"], log: ["log"],
};
const shown = {};

function answer(s, asked, one) {
  if (!s.control) return make("span", {}, one.says);
  const yesNo = { yes: true, no: false };
  const told = one.option in yesNo
    ? { c: "answer", question: asked.id, yes: yesNo[one.option] }
    : { table_is_right: { c: "table_is_right" }, companion_is_right: { c: "companion_is_right" } }[one.option];
  const act = one.option === "undo" ? undo : told ? () => post("command", told) : null;
  return act ? make("button", { type: "button", onclick: act }, one.says) : make("span", {}, one.says);
}

function place(s, one) {
  const who = one.player ? `${one.player.sign} ${one.player.name}${one.on_turn ? " ►" : ""}` : `${one.number}`;
  const ground = one.ground || (one.player ? one.player.ground : "");
  const head = make("h2", { className: ground ? `g-${ground}` : "plain" }, make("span", {}, `${who} ${one.word}`), one.count === null ? null : make("span", {}, `×${one.count}`));
  const body = one.shown.length && one.figure === "sleeper" ? chips(one.shown, "shown") : picture(one.picture, `${one.name} ${one.word}`);
  const name = make("p", { className: one.name ? `name${long(one.name)}` : "name nobody" }, one.name || "–");
  const claim = s.control && s.live && one.claim ? make("button", { type: "button", title: one.claim, onclick: () => askSure(one) }, words.claim) : null;
  if (one.figure !== "realm") return make("article", { className: "place" }, head, body, name, claim);
  const cards = one.cards.length ? make("div", { className: "hand" }, ...one.cards.map(card)) : chips(one.shown, "shown");
  return make("article", { className: "place realm" }, head, name, one.progress ? bar(one.progress) : null, cards, claim);
}

function bar([has, full]) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 100 4");
  svg.setAttribute("preserveAspectRatio", "none");
  const filled = document.createElementNS(space, "rect");
  filled.setAttribute("width", Math.min(100, (100 * has) / Math.max(1, full)));
  filled.setAttribute("height", 4);
  svg.append(filled);
  return make("div", { className: "bar", title: `${has} / ${full}` }, svg);
}

function controls(s) {
  if (!s.control || !s.live) return [];
  return [make("div", { id: "controls" },
    s.new_game ? newGame() : null,
    make("button", { type: "button", onclick: undo }, words.undo),
    make("button", { type: "button", onclick: () => post("command", { c: "pause", paused: !s.paused }) }, s.paused ? words.go_on : words.pause),
    make("button", { type: "button", onclick: party }, words.party),
    s.desk && s.desk.phase === "on" ? make("button", { type: "button", onclick: endGame }, words.end_game) : null)];
}

/** Begin anew for other people; a game that is on ends only after a question. */
function party() {
  if (state.party.asks) choose("party"); else post("command", state.party.send);
}

function newGame() {
  return make("button", { type: "button", onclick: () => { at("over").close(); choose("new_game"); } }, words.new_game);
}

/** Take back the last action; a verdict only after a question. */
function undo() {
  if (state.undo.asks) choose("undo"); else post("command", state.undo.send);
}

// A player's own view.

const hand = make("input", { type: "text", autocomplete: "off", maxLength: 80, placeholder: words.typed, ariaLabel: words.cards });

/** The cards told so far. */
function told() {
  return hand.value.split(/[\s,]+/).filter(Boolean);
}

/** Every kind of card, to be touched; and how many of the hand are told. */
function picker(s, size) {
  const count = make("span", { className: "count" });
  const write = (cards) => { hand.value = cards.join(" "); hand.oninput(); };
  const buttons = s.mine.kinds.map((one) => make("button", { type: "button", className: `c-${one.colour}`, title: one.name, onclick: () => write([...told(), one.kind]) },
    one.picture ? drawn(one.picture, "") : null, make("span", {}, /^\d+$/.test(one.kind) ? one.kind : one.name)));
  const clear = make("button", { type: "button", ariaLabel: words.empty, title: words.empty, onclick: () => write([]) }, "×");
  hand.oninput = () => {
    count.textContent = `${told().length} / ${size}`;
    for (const button of buttons) button.disabled = told().length >= size;
  };
  hand.oninput();
  return [make("div", { className: "row" }, make("label", {}, words.cards), hand, count, clear), make("div", { className: "row picker" }, ...buttons)];
}

function own(s) {
  const me = s.players.find((one) => one.player === s.mine.player);
  const ask = (more, cards) => post("hint", { more, hand: cards });
  const hidden = s.mine.kinds.length > 0; // else all hands lie open, and nothing has to be told
  const buttons = [
    make("button", { type: "button", onclick: () => ask(false, hidden ? hand.value : "") }, words.hint),
    s.advice ? make("button", { type: "button", onclick: () => ask(true, hidden ? hand.value : "") }, words.more) : null,
    hidden && s.mine.corner ? make("button", { type: "button", onclick: () => ask(Boolean(s.advice), "camera") }, words.camera) : null,
  ].filter(Boolean);
  const hints = s.advice ? s.advice.hints.map((one) => make("p", { className: "hint" }, one.text, one.expects ? ` (${one.expects})` : "")) : [];
  const notice = s.mine.notice ? make("p", { className: "notice" }, s.mine.notice) : null;
  const size = (s.hands.find((one) => one.player === s.mine.player) || { cards: 0 }).cards;
  const asking = s.mine.on_turn
    ? [...(hidden ? picker(s, size) : []), make("div", { className: "row" }, ...buttons)]
    : [make("p", {}, words.not_you)];
  return [me ? make("p", { className: `me g-${me.ground}` }, `${me.sign} ${me.name}`) : null, ...hints, notice, ...asking,
    make("div", { className: "row" }, make("button", { type: "button", onclick: leave }, words.leave))];
}

async function leave() {
  const told = await post("leave", {});
  if (!told) return;
  mySeat.drop(state.mine.player);
  location.replace(told.path + location.search);
}

// The token of an own view, in this tab alone: whoever went back to everybody's page gets the view again.

const mySeat = {
  token: (player) => { try { return sessionStorage.getItem(`seat${player}`) || ""; } catch { return ""; } },
  keep: (player, token) => { try { sessionStorage.setItem(`seat${player}`, token); } catch { /* not kept */ } },
  drop: (player) => { try { sessionStorage.removeItem(`seat${player}`); } catch { /* none kept */ } },
};

function seats(s) {
  const buttons = s.players.map((one) => {
    const taken = one.taken && !mySeat.token(one.player);
    return make("button", { type: "button", className: `g-${one.ground}`, disabled: taken, onclick: () => sit(one.player) },
      `${one.sign} ${one.name}${taken ? ` · ${words.taken}` : ""}`);
  });
  return [make("p", { className: "subject" }, words.who), make("div", { className: "who" }, ...buttons),
    make("button", { type: "button", onclick: () => at("seats").close() }, words.back)];
}

async function sit(player) {
  const told = await post("seat", { player, token: mySeat.token(player) });
  if (!told) return mySeat.drop(player); // somebody else has it by now
  mySeat.keep(player, told.path.split("/")[1]);
  location.assign(told.path + location.search);
}

// What weighs more is sent only after a question: the buttons lie where a thumb scrolls.

const SETTLE_MS = 500; // a second tap of the same thumb is no answer
let possible = () => false; // whether what the question is about can still be done

/** Ask before something is sent: the last answer sends nothing. */
function ask(question, answers, layout, still) {
  const dialog = at("sure");
  const buttons = answers.map((one) =>
    make("button", { type: "button", className: one.send ? "yes" : "no", disabled: Boolean(one.send), onclick: () => { dialog.close(); if (one.send) post(one.to || "command", one.send); } }, one.says));
  dialog.replaceChildren(...question.filter(Boolean), make("div", { className: layout }, ...buttons));
  possible = still;
  dialog.showModal();
  buttons.at(-1).focus();
  setTimeout(() => { for (const button of buttons) button.disabled = false; }, SETTLE_MS);
}

function askSure(one) {
  const answers = [{ says: words.yes, send: { c: "claim", subject: one.number } }, { says: words.no, send: null }];
  const still = () => state.places.some((now) => now.number === one.number && now.claim);
  ask([picture(one.picture, ""), make("p", { className: "word" }, one.sure)], answers, "answers", still);
}

/** Ask what the state has of this name; the question goes as soon as it has another one. */
function choose(name) {
  const said = JSON.stringify(state[name]);
  ask([make("p", { className: "subject" }, state[name].asks)], state[name].answers, "who", () => JSON.stringify(state[name]) === said);
}

/** The question goes with the engine, and with the chance to do what it is about. */
function stillSure() {
  if (at("sure").open && !(state.control && (state.live || state.desk) && possible())) at("sure").close();
}

// Verdict and score lie over the table until they end, or until somebody closes them here.

let closed = "";
let lies = ""; // what lies over the table now

function over(s) {
  const dialog = at("over");
  const said = s.verdict || s.score;
  const key = said ? JSON.stringify(s.verdict ? [said.subject, s.log.length && s.heading] : [said.headline, said.text]) : "";
  if (!said || key === closed) {
    lies = "";
    if (dialog.open) dialog.close();
    if (!said) closed = "";
    return;
  }
  const content = s.verdict ? verdict(s.verdict) : score(s, s.score);
  const back = make("button", { type: "button", onclick: () => dialog.close() }, words.back);
  const next = !s.verdict && s.control && s.new_game ? newGame() : null;
  dialog.replaceChildren(...content, ...[next, back].filter(Boolean));
  lies = key;
  // By the button or by a key: a browser need not ask before.
  dialog.onclose = () => { if (lies === key && !dialog.open) closed = key; };
  if (!dialog.open) dialog.showModal();
  back.focus(); // each drawing makes a new one
}

function verdict(said) {
  const subject = make("p", { className: "subject" }, said.subject);
  const seen = picture(said.picture, "");
  if (!said.told) return [seen, subject, make("p", { className: "word" }, "…")].filter(Boolean);
  return [seen, subject, make("p", { className: `word ${said.look}`, role: "alert" }, said.word), ...said.reasons.map((text) => make("p", {}, text)),
    said.show ? make("p", { className: "show" }, said.show) : null, said.cards.length ? chips(said.cards, "chips") : null].filter(Boolean);
}

function score(s, said) {
  const stars = said.score !== null && said.out_of > 0 && said.out_of <= 5 ? make("p", { className: "stars", ariaLabel: `${said.score} / ${said.out_of}` }, "★".repeat(said.score) + "☆".repeat(said.out_of - said.score)) : null;
  const realms = s.places.some((one) => one.figure === "realm");
  const places = make("section", { className: `places ${realms ? "realms" : "sleepers"}` }, ...s.places.map((one) => place({ control: false }, one)));
  places.style.setProperty("--places", Math.max(1, s.places.length));
  return [stars, make("p", { className: "word good" }, said.headline), make("p", { className: "subject" }, said.counted), make("p", {}, said.text), make("p", {}, said.turns), places].filter(Boolean);
}

function draw() {
  for (const [name, part] of Object.entries(parts)) {
    const key = JSON.stringify(uses[name].map((field) => state[field] ?? null));
    if (shown[name] === key) continue;
    shown[name] = key;
    const typing = document.activeElement;
    at(name).replaceChildren(...part(state).filter(Boolean));
    if ([hand, typedName, netName, netSecret].includes(typing) && typing.isConnected) typing.focus();
  }
  at("own").hidden = !state.mine;
  at("desk").hidden = !at("desk").childElementCount;
  document.body.classList.toggle("at-desk", atDesk(state));
  at("may").hidden = !state.may.length && !state.may_not.length;
  at("mine").hidden = Boolean(state.mine) || !state.players.length;
  document.title = atDesk(state) ? "companion" : `${state.call.above} ${state.call.big}`.trim();
  stillSure();
  over(state);
  if (at("seats").open) at("seats").replaceChildren(...seats(state));
  if (!performance.getEntriesByName("drawn").length) performance.mark("drawn");
}

function tell(text) {
  at("link").textContent = text;
  at("link").hidden = !text;
}

/** Say that there is no connection; after the end of a recording nothing new can come, and the call says that. */
function lose() {
  tell(state.ended ? "" : words.lost);
}

const SAID_MS = 6000; // how long this browser alone shows why it was refused something
let unsaid = 0;

/** Why something was refused here, above whatever lies over the table; the newest table does not take it away. */
function say(text) {
  const line = at("said");
  clearTimeout(unsaid);
  line.textContent = text;
  line.hidden = !text;
  if (line.togglePopover) { line.togglePopover(false); line.togglePopover(Boolean(text)); }
  if (text) unsaid = setTimeout(() => say(""), SAID_MS);
}

async function post(name, body) {
  try {
    const reply = await fetch(`${name}${tongue}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (!reply.ok) { say((await reply.text()).trim()); return null; }
    const told = await reply.json();
    say(told.refused || "");
    return told;
  } catch {
    say(words.not_sent);
    return null;
  }
}

// The stream. A browser that lost it, or slept, connects again.

let source = null;
let heard = 0;
let again = 0;

function follow() {
  clearTimeout(again);
  if (source) source.close();
  source = new EventSource(`events${tongue}`);
  heard = Date.now();
  source.onmessage = (event) => {
    heard = Date.now();
    state = JSON.parse(event.data);
    tell("");
    draw();
  };
  source.addEventListener("alive", () => { heard = Date.now(); });
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) refused(); else lose();
  };
}

/** The server answered, but not with a stream: say why, and try again. */
async function refused() {
  try {
    const reply = await fetch(`state${tongue}`);
    if (reply.status === 404 && state.mine) tell(words.gone);
    else if (!reply.ok) tell((await reply.text()).trim());
    else tell(words.full);
  } catch { lose(); }
  again = setTimeout(follow, 3000);
}

setInterval(() => { if (Date.now() - heard > SILENT_MS) { lose(); follow(); } }, 5000);
document.addEventListener("visibilitychange", () => { if (!document.hidden && (source.readyState !== EventSource.OPEN || Date.now() - heard > SILENT_MS)) follow(); });

const THEMES = ["night", "day", "contrast"];
const kept = { get: (name) => { try { return localStorage.getItem(name); } catch { return null; } }, set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* not kept */ } } };
const theme = kept.get("theme");
if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
at("colours").setAttribute("aria-label", words.colours);
at("colours").title = words.colours;
at("colours").onclick = () => {
  const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: light)").matches ? "day" : "night");
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  document.documentElement.dataset.theme = next;
  kept.set("theme", next);
};
at("tongue").ariaLabel = words.language;
at("tongue").append(...Object.entries(words.languages).map(([code, name]) => new Option(name, code, false, code === document.documentElement.lang)));
at("tongue").onchange = () => {
  kept.set("language", at("tongue").value);
  location.search = `?language=${at("tongue").value}`;
};
if (!location.search && kept.get("language") in words.languages && kept.get("language") !== document.documentElement.lang) {
  location.search = `?language=${kept.get("language")}`;
}
at("said").onclick = () => say("");
at("mine").textContent = words.mine;
at("mine").onclick = () => { at("seats").replaceChildren(...seats(state)); at("seats").showModal(); };

draw();
at("old").remove(); // a browser that cannot read or run the above keeps the line
follow();
