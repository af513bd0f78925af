"use strict";
(() => {
  const period = 2000, kept = 150, namespace = "http://www.w3.org/2000/svg";
  const source = document.body.dataset.source;
  const history = [], first = new Map(), courses = new Map();
  let last = null;

  const at = id => document.getElementById(id);
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const draw = (tag, attributes, text) => {
    const element = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Three significant digits and the unit that fits, as in the lab's report.
  const digits = value => value >= 100 ? Math.round(value).toString() : value.toPrecision(3).replace(/\.?0+$/, "");
  const bytes = value => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (Math.abs(value) >= 1000 && unit < units.length - 1) { value /= 1024; unit++; }
    return value === 0 ? "0 B" : `${digits(value)} ${units[unit]}`;
  };
  const count = value => Math.round(value).toLocaleString("en-US");
  const share = value => value === null ? "–" : value === 0 ? "0 %" : value < .001 ? "< 0.1 %" : `${digits(value * 100)} %`;
  const duration = seconds => {
    const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
    const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, "s"];
    return `${Math.floor(seconds / size)} ${unit}`;
  };

  const wait = seconds => seconds === 0 ? "–" : seconds < 10 ? `${digits(seconds)} s` : duration(seconds);

  const tile = (name, value, detail, kind) => {
    const box = make("div", undefined, kind), shown = make("dd", value);
    if (detail) shown.append(make("small", detail));
    box.append(make("dt", name), shown);
    return box;
  };
  const fact = (name, value) => {
    const row = make("div");
    row.append(make("dt", name), make("dd", value));
    return row;
  };
  const nothing = text => make("p", text, "nothing");

  const path = (values, x, y) =>
    values.map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");

  const roundUp = value => {
    let size = 1;
    while (size < value) size *= 2;
    return size / 4 * 3 >= value ? size / 4 * 3 : size;
  };

  // The time that both charts show: what was seen, from ten seconds to five minutes.
  const shortest = 10, longest = 300, margin = 72;
  const spanSeen = () => Math.min(longest, Math.max(shortest, (history.at(-1).at - history[0].at) / 1000));

  const showLines = (svg, lines, ticks, span) => {
    const box = svg.getBoundingClientRect(), right = box.width - margin, bottom = box.height - (ticks.length ? 22 : 2);
    svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const top = roundUp(Math.max(1 << 16, ...lines.flatMap(([, value]) => history.map(value))));
    const end = history.at(-1).at, x = index => Math.max(0, right - (end - history[index].at) / 1000 / span * right);
    const y = value => bottom - value / top * (bottom - 8);
    const parts = [0, .5, 1].flatMap(part => [
      draw("line", { class: "grid", x1: 0, x2: right, y1: y(part * top), y2: y(part * top) }),
      draw("text", { x: right + 10, y: y(part * top) + 4 }, bytes(part * top)),
    ]);
    for (const [seconds, text] of ticks) {
      const place = right - seconds / span * right, anchor = !seconds ? "end" : place < 24 ? "start" : "middle";
      parts.push(
        draw("line", { class: "grid", x1: place, x2: place, y1: bottom, y2: bottom + 4 }),
        draw("text", { x: Math.max(0, place), y: box.height - 2, "text-anchor": anchor }, text));
    }
    for (const [name, value] of lines) {
      const line = path(history.map(value), x, y);
      parts.push(
        draw("path", { class: `area ${name}`, d: `${line}L${right} ${bottom}L${x(0).toFixed(1)} ${bottom}Z` }),
        draw("path", { class: `line ${name}`, d: line }),
        draw("circle", { class: `end ${name}`, cx: right, cy: y(value(history.at(-1))), r: 3.5 }));
    }
    svg.replaceChildren(...parts);
  };

  const showCourse = () => {
    const svg = at("course"), span = spanSeen(), most = (svg.getBoundingClientRect().width - margin) / 72;
    const step = [2, 5, 10, 15, 30, 60, 120].find(one => span / one <= most) ?? 150, ticks = [[0, "now"]];
    for (let seconds = step; seconds <= span; seconds += step) {
      ticks.push([seconds, seconds % 60 ? `−${seconds} s` : `−${seconds / 60} min`]);
    }
    at("span").textContent = span < longest ? "Since this page was opened" : "Last five minutes";
    showLines(svg, [["idle", one => one.idle], ["in-use", one => one.inUse]], ticks, span);
    showLines(at("resident"), [["resident", one => one.resident]], [], span);
  };

  const small = values => {
    const svg = draw("svg", { viewBox: "0 0 120 24", preserveAspectRatio: "none", "aria-hidden": "true" });
    const top = Math.max(1, ...values.flatMap(one => [one.inUse, one.idle]));
    // As wide as ten seconds at first, as the chart.
    const width = Math.max(values.length - 1, shortest * 1000 / period);
    const x = index => 120 - (values.length - 1 - index) * 120 / width, y = value => 22 - value / top * 20;
    svg.append(
      draw("path", { class: "line idle", d: path(values.map(one => one.idle), x, y) }),
      draw("path", { class: "line in-use", d: path(values.map(one => one.inUse), x, y) }));
    return svg;
  };

  const waitTile = waiting => tile("Waiting", count(waiting), "for room in a budget", waiting ? "found" : undefined);

  const showTiles = (now, inUse, idle) => at("tiles").replaceChildren(
    tile("In use", bytes(inUse), now.sources.length === 1 ? "1 pool or heap" : `${count(now.sources.length)} pools and heaps`),
    tile("Idle", bytes(idle), "kept for reuse"),
    tile("Resident", bytes(now.process.residentBytes), "of the process"),
    tile("Managed heap", bytes(now.process.managedBytes), `${count(now.process.fullCollections)} full collections`),
    ...(now.budgets.count ? [waitTile(now.budgets.waiting)] : []),
    now.incidents.count
      ? tile("Incidents", count(now.incidents.count), "misused buffers", "found")
      : tile("Incidents", "0", "none found"));

  const showBlocks = now => at("blocks").replaceChildren(...now.blocks.map(pool => {
    const box = make("div", undefined, "pool"), head = make("div", undefined, "head"), cap = make("div", undefined, "cap");
    const text = make("span", `${bytes(pool.inUseBytes)} in use, ${bytes(pool.retainedBytes)} idle, cap ${bytes(pool.capBytes)}`);
    head.append(make("h3", pool.owner), text);
    const halves = [
      ["in-use", pool.inUseBytes / pool.maxInUseBytes], ["idle", pool.retainedBytes / (pool.capBytes - pool.maxInUseBytes)],
    ];
    for (const [name, value] of halves) {
      const half = make("div", undefined, "half"), bar = make("i", undefined, name);
      bar.style.width = `${Math.min(1, value) * 100}%`;
      half.append(bar);
      cap.append(half);
    }
    const beyond = pool.unpooledInUseBytes > 0
      ? make("span", `${bytes(pool.unpooledInUseBytes)} in use beyond the cap`, "beyond")
      : make("span", pool.unpooled ? `${count(pool.unpooled)} blocks were unpooled so far` : "");
    const foot = make("div", undefined, "head");
    foot.append(beyond, make("span", `${count(pool.rented)} blocks rented, ${count(pool.allocated)} of them newly allocated`));
    box.append(head, cap, foot);
    return box;
  }), ...(now.blocks.length ? [] : [nothing("No server has asked for a memory pool.")]));

  const cellsOf = row => (label, text, name) => {
    const one = make("td", text, name);
    one.dataset.label = label;
    row.append(one);
    return one;
  };

  const showBudgets = now => {
    at("budgets").replaceChildren(...now.budgets.shown.map(one => {
      const row = make("tr"), cell = cellsOf(row), alarm = one.waiting ? "number beyond" : "number";
      const name = cell("Name", one.name, "name");
      if (one.parent) name.append(make("small", `part of ${one.parent}`));
      cell("In use", bytes(one.inUse), "number");
      cell("Limit", bytes(one.limit), "number");
      cell("Waiting", count(one.waiting), alarm);
      cell("Oldest wait", wait(one.oldestWait), alarm);
      cell("Longest wait", wait(one.longestWait), "number");
      const refused = cell("Refused", count(one.refused), "number");
      if (one.deadlocks) refused.append(make("small", `${count(one.deadlocks)} waited for each other`));
      return row;
    }));
    const { count: all, shown } = now.budgets;
    at("budgets").closest("table").hidden = !all;
    at("other-budgets").textContent = !all ? "The process has none."
      : all > shown.length ? `And ${count(all - shown.length)} more, for which fewer requests wait or which have fewer bytes in use.` : "";
  };

  const showSources = (now, seconds) => {
    const before = new Map((last?.sources ?? []).map(one => [key(one), one]));
    const size = one => one.inUseBytes + one.retainedBytes;
    const rows = [...now.sources].sort((a, b) => size(b) - size(a) || a.name.localeCompare(b.name));
    at("sources").replaceChildren(...rows.map(one => {
      const id = key(one), old = before.get(id), start = first.get(id) ?? (first.set(id, one), one);
      const rented = one.rented - start.rented, course = courses.get(id) ?? [];
      courses.set(id, course);
      course.push({ inUse: one.inUseBytes, idle: one.retainedBytes });
      if (course.length > kept) course.shift();
      const row = make("tr");
      const cell = cellsOf(row);
      cell("Name", one.name, "name");
      cell("Kind", one.kind, "kind");
      cell("In use", bytes(one.inUseBytes), "number");
      cell("Idle", bytes(one.retainedBytes), "number");
      cell("Rented a second", old && seconds > 0 ? count((one.rented - old.rented) / seconds) : "–", "number");
      cell("Newly allocated", share(rented > 0 ? (one.allocated - start.allocated) / rented : null), "number");
      cell("In use and idle", undefined, "course").append(small(course));
      return row;
    }));
    const alive = new Set(now.sources.map(key));
    for (const id of [...courses.keys()].filter(id => !alive.has(id))) { courses.delete(id); first.delete(id); }
  };
  const key = one => `${one.id} ${one.kind} ${one.name}`;

  const showStreams = now => at("streams").replaceChildren(
    fact("Counted since", new Date(now.streams.since).toLocaleTimeString()),
    fact("Created", count(now.streams.created)),
    fact("Disposed", count(now.streams.disposed)),
    fact("Mean length", now.streams.disposed ? bytes(now.streams.bytes / now.streams.disposed) : "–"));

  const showIncidents = now => {
    const box = at("incidents"), open = new Set([...box.querySelectorAll("details[open]")].map(one => one.dataset.key));
    box.replaceChildren(...now.incidents.groups.map(group => {
      const one = make("details", undefined, "incident"), summary = make("summary");
      one.dataset.key = `${group.kind} ${group.source} ${group.place}`;
      one.open = open.has(one.dataset.key);
      const text = `${group.kind} of a buffer of ${group.source}`;
      summary.append(make("b", `${count(group.count)} × `), text, make("span", group.place ?? ""));
      one.append(summary, make("pre", group.last));
      return one;
    }), ...(now.incidents.groups.length ? [] : [nothing("None found.")]));
  };

  const show = now => {
    const sum = value => now.sources.reduce((total, one) => total + value(one), 0);
    const inUse = sum(one => one.inUseBytes), idle = sum(one => one.retainedBytes);
    const seconds = last ? (new Date(now.at) - new Date(last.at)) / 1000 : 0;
    history.push({ at: Date.parse(now.at), inUse, idle, resident: now.process.residentBytes });
    // The newest of the older ones stays: the chart's left edge is there.
    while (history.length > 1 && history.at(-1).at - history[1].at >= longest * 1000) history.shift();
    document.title = `Tarn · ${now.process.name}`;
    at("headline").textContent = `Buffers of ${now.process.name}`;
    at("process").textContent =
      `Process ${now.process.id} · ${now.process.runtime} · up ${duration((new Date(now.at) - new Date(now.process.startedAt)) / 1000)}`;
    showTiles(now, inUse, idle);
    showCourse();
    showBlocks(now);
    showSources(now, seconds);
    showBudgets(now);
    showStreams(now);
    showIncidents(now);
    last = now;
  };

  const tell = (kind, text) => {
    at("state").className = `state ${kind}`;
    at("state").textContent = text;
  };

  const look = async () => {
    if (!document.hidden || !last) {
      try {
        const answer = await fetch(source, { cache: "no-store", credentials: "same-origin" });
        if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
        show(await answer.json());
        tell("live", `live, ${new Date().toLocaleTimeString()}`);
      } catch (error) {
        tell("lost", `no data: ${error.message}. Trying again.`);
      }
    }
    setTimeout(look, period);
  };
  addEventListener("resize", () => history.length && showCourse());
  look();
})();
