// The desk of `companion host`: games begin and end here. It draws what the server sends, as page.js does.
"use strict";

let wish = null; // what is chosen on the form, until the game begins
let wishOf = ""; // the form for which it was chosen

/** A choice of one of several, with its label. */
function choice(label, options, value, changed) {
  const list = make("select", { onchange: () => changed(list.value) }, ...options.map((one) => new Option(one.says, one.id, false, one.id === value)));
  return make("label", {}, make("span", {}, label), list);
}

function button(says, act, className = "") {
  return make("button", { type: "button", className, onclick: act }, says);
}

const games = (form) => form.games.find((one) => one.id === wish.game) || form.games[0];
const variants = (form) => games(form).variants.find((one) => one.id === wish.variant) || games(form).variants[0];

/** Keep what is chosen possible: a variant has its own numbers of players. */
function settle(form) {
  wish.game = games(form).id;
  wish.variant = variants(form).id;
  const counts = variants(form).players;
  if (!counts.includes(wish.players)) wish.players = counts.reduce((best, one) => (Math.abs(one - wish.players) < Math.abs(best - wish.players) ? one : best));
  if (!form.tables.some((one) => one.id === wish.table)) wish.table = form.tables[0].id;
}

function names(form) {
  const rows = form.seats.slice(0, wish.players).map((seat, number) => {
    const name = make("input", { type: "text", maxLength: 10, autocomplete: "off", placeholder: seat.says, ariaLabel: seat.says, value: wish.names[number] || "" });
    name.oninput = () => { wish.names[number] = name.value; };
    return make("label", { className: "seat" }, make("span", { className: `g-${seat.ground}` }, seat.sign), name);
  });
  return make("fieldset", {}, make("legend", {}, words.names), ...rows);
}

function startForm(form) {
  const again = () => { settle(form); shown.desk = ""; draw(); };
  const counts = variants(form).players.map((one) => ({ id: String(one), says: String(one) }));
  const tongues = Object.entries(words.languages).map(([id, says]) => ({ id, says }));
  const begin = () => post("begin", { game: wish.game, variant: wish.variant, players: wish.players, table: wish.table,
    names: wish.names.slice(0, wish.players).map((one) => (one || "").trim()) });
  return [
    make("h2", {}, words.what_now),
    choice(words.game, form.games, wish.game, (id) => { wish.game = id; again(); }),
    games(form).variants.length > 1 ? choice(words.variant, games(form).variants, wish.variant, (id) => { wish.variant = id; again(); }) : null,
    choice(words.players, counts, String(wish.players), (id) => { wish.players = Number(id); again(); }),
    names(form),
    form.tables.length > 1 ? choice(words.table, form.tables, wish.table, (id) => { wish.table = id; again(); }) : make("label", {}, make("span", {}, words.table), make("b", {}, form.tables[0].says)),
    choice(words.table_language, tongues, form.language, (id) => post("speak", { language: id })),
    button(words.begin_game, begin, "main"),
    button(words.set_up, () => post("setup", { table: wish.table, game: wish.game, variant: wish.variant })),
    form.last ? button(form.last, () => post("go_on", {})) : null,
  ];
}

// The home network: which one, and its password, which is kept nowhere on this page.

const netName = Object.assign(document.createElement("input"), { type: "text", maxLength: 32, autocomplete: "off" });
const netSecret = Object.assign(document.createElement("input"), { type: "password", maxLength: 64, autocomplete: "off" });
let net = null; // the chosen network; "" for one that is typed
let netOpen = false;

function networkPart(one) {
  if (!one || !one.wifi) return null;
  if (net === null || (net && !one.networks.some((near) => near.id === net))) net = one.networks.length ? one.networks[0].id : "";
  const chosen = one.networks.find((near) => near.id === net);
  netName.placeholder = netName.ariaLabel = words.network_name;
  netSecret.placeholder = netSecret.ariaLabel = words.password;
  const join = () => {
    post("join", { network: net, name: net ? "" : netName.value, password: netSecret.value });
    netSecret.value = "";
  };
  const list = choice(words.network_name, [...one.networks, { id: "", says: words.network_hidden }], net, (id) => { net = id; shown.desk = ""; draw(); });
  const part = make("details", { open: one.hotspot || netOpen }, make("summary", {}, words.network),
    one.said ? make("p", { className: "told", role: "status" }, one.said) : null,
    ...(one.joining ? [make("p", {}, one.joining)] : [one.hotspot ? make("p", {}, words.network_why) : null, list,
      net ? null : netName, !chosen || chosen.locked ? netSecret : null, button(words.join, join, one.hotspot ? "main" : "")]));
  part.ontoggle = () => { netOpen = part.open; };
  return part;
}

// The set-up of parts: the wizard's steps, what they ask, and the buttons that answer.

// Kept over each drawing: what is typed stays, and a picture that has not changed is not loaded again.
const typedName = Object.assign(document.createElement("input"), { type: "text", maxLength: 40, autocomplete: "off" });
let valuesOpen = false;
const sensed = Object.assign(document.createElement("img"), { className: "sensed" });

function step(act, more = {}) {
  post("step", { act, ...more });
  if (act === "enter") typedName.value = "";
}

function setupPage(one) {
  const back = button(words.back_to_games, () => step("close"));
  if (!one.steps) return [make("p", {}, words.set_up_begins), back];
  const at_ = one.steps.findIndex((step_) => step_.name === one.chosen);
  const steps = one.steps.map((step_) => {
    const pick = button(step_.says, () => step("choose", { name: step_.name }), step_.look);
    pick.disabled = one.running;
    if (step_.name === one.chosen) pick.setAttribute("aria-current", "step");
    return make("li", {}, pick);
  });
  const lines = one.lines.map((said) => make("p", {}, said));
  const result = one.result ? make("div", { className: `result ${one.result.look}` }, make("p", { className: "verdict" }, one.result.says),
    ...one.result.fixes.flatMap((fix) => [fix.said ? make("p", {}, fix.said) : null, fix.fix ? make("p", { className: "fix" }, `→ ${fix.fix}`) : null])) : null;
  const weights = one.weights.length ? make("ul", { className: "weights" }, ...one.weights.map((weight) => make("li", {}, make("span", {}, weight.place), make("b", {}, weight.grams)))) : null;
  const values = one.values.length ? make("details", { open: valuesOpen, className: "values" }, make("summary", {}, words.live_values),
    make("ul", {}, ...one.values.map((value) => make("li", { className: value.look }, value.says)))) : null;
  if (values) values.ontoggle = () => { valuesOpen = values.open; };
  if (one.picture) {
    sensed.src = `picture?${one.picture}`;
    sensed.alt = words.camera_sees;
  }
  const enter = () => step("enter", { text: one.typed ? typedName.value.trim() : "" });
  const buttons = one.asked
    ? [button(one.question ? words.step_yes : words.step_done, enter, "main"), one.no ? button(one.no, () => step("no")) : null, button(words.step_leave, () => step("leave"))]
    : one.running
      ? [button(words.step_leave, () => step("leave"))]
      : [button(one.done ? words.step_again : words.step_begin, enter, "main"), at_ > 0 ? button(words.step_before, () => step("choose", { name: one.steps[at_ - 1].name })) : null];
  return [
    make("h2", {}, one.title),
    make("div", { className: `now${one.asked ? " asked" : ""}` }, one.big ? make("p", { className: "big" }, one.big) : null, ...lines),
    one.typed ? typedName : null,
    make("div", { className: "buttons" }, ...buttons, button(words.step_skip, () => step("skip"))),
    result,
    one.report ? report(one.report) : null,
    one.blind ? make("p", { className: "told" }, one.blind) : one.picture ? sensed : null,
    weights,
    one.felt ? make("p", {}, one.felt) : null,
    values,
    make("ol", { className: "steps" }, ...steps),
    back,
  ];
}

function report(one) {
  const list = (title, rows) => (rows.length ? [make("p", { className: "fix" }, title), make("ul", {}, ...rows.map((row) => make("li", {}, row)))] : []);
  return make("div", { className: "result" }, make("p", { className: "verdict" }, one.says), ...list(words.not_finished, one.left), ...list(words.unproved, one.unproved));
}

function desk(s) {
  const one = s.desk;
  if (!one) return [];
  if (!one.holder) return one.phase === "on" ? [] : [make("p", { className: "calm" }, words.no_game)];
  const said = one.said ? make("p", { className: "told", role: "status" }, one.said) : null;
  if (one.phase === "setup") return setupPage(one.setup);
  if (one.phase === "ending") return [make("p", {}, words.ends)];
  if (one.phase === "on") return s.live ? [] : [make("p", {}, words.begins), button(words.end_game, endGame)];
  const form = one.form;
  if (!form || s.live) return [said]; // a table that somebody else began is shown as it is
  const key = JSON.stringify([form.games, form.tables, form.chosen]);
  if (key !== wishOf) {
    wishOf = key;
    wish = { ...form.chosen, names: [...form.chosen.names] };
  }
  settle(form);
  const home = networkPart(one.network);
  return one.network && one.network.hotspot ? [said, home, ...startForm(form)] : [said, ...startForm(form), home];
}

/** Ask before a game is ended. */
function endGame() {
  at("over").close();
  ask([make("p", { className: "subject" }, words.end_sure)], [{ says: words.end_game, send: {}, to: "end" }, { says: words.back, send: null }], "who", () => state.desk && state.desk.phase === "on");
}

/** Whether the desk stands in the place of the table. */
function atDesk(s) {
  return Boolean(s.desk) && s.desk.phase !== "on" && !s.live;
}
