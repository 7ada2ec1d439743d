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
    form.last ? button(form.last, () => post("go_on", {})) : null,
  ];
}

function desk(s) {
  const one = s.desk;
  if (!one) return [];
  if (!one.holder) return one.phase === "on" ? [] : [make("p", { className: "calm" }, words.no_game)];
  const said = one.said ? make("p", { className: "told", role: "status" }, one.said) : null;
  if (one.phase === "ending") return [make("p", {}, words.ends)];
  if (one.phase === "on") return s.live ? [] : [make("p", {}, words.begins), button(words.end_game, endGame)];
  const form = one.form;
  if (!form) return [said];
  const key = JSON.stringify([form.games, form.tables, form.chosen]);
  if (key !== wishOf) {
    wishOf = key;
    wish = { ...form.chosen, names: [...form.chosen.names] };
  }
  settle(form);
  return [said, ...startForm(form)];
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
