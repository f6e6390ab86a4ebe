// The report page: figures that come alive when Plotly is there, tables that sort.
"use strict";
(() => {
  const root = document.documentElement;
  const palette = JSON.parse(document.getElementById("palette").textContent);
  const screenIsNarrow = matchMedia("(max-width: 35rem)");

  // --- Figures. "@blue" and "@blue:0.22" are colours of the palette, resolved for the theme of the moment (theme.js).
  const rgba = (hex, opacity) => {
    const part = (at) => parseInt(hex.slice(at, at + 2), 16);
    return `rgba(${part(1)},${part(3)},${part(5)},${opacity})`;
  };
  const resolved = (value, key = "") => {
    if (typeof value === "string" && value[0] === "@" && key.endsWith("color")) {
      const [name, opacity] = value.slice(1).split(":");
      const hex = palette[name][theme.now() === "dark" ? 1 : 0];
      return opacity === undefined ? hex : rgba(hex, opacity);
    }
    if (Array.isArray(value)) return typeof value[0] === "object" ? value.map((part) => resolved(part)) : value;
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part, name)]));
  };
  const fonts = getComputedStyle(document.body).fontFamily;
  const figures = [...document.querySelectorAll("figure.figure")]
    .map((element) => ({ element, plot: element.querySelector(".plot"), json: element.querySelector("script") }))
    .filter((figure) => figure.plot && figure.json);
  const draw = (figure) => {
    figure.content ??= JSON.parse(figure.json.textContent);
    const layout = resolved(screenIsNarrow.matches ? figure.content.narrow : figure.content.wide);
    layout.font.family = fonts;
    figure.element.classList.add("live"); // before drawing: Plotly measures the element
    const options = {
      responsive: true,
      displaylogo: false,
      displayModeBar: matchMedia("(hover: hover)").matches ? "hover" : false,
      showSendToCloud: false, // data leave the page by nobody's slip of the finger
      plotlyServerURL: "",
      modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
      toImageButtonOptions: { format: "svg", filename: figure.element.id },
    };
    return window.Plotly.react(figure.plot, resolved(figure.content.data), layout, options)
      .catch(() => figure.element.classList.remove("live")); // the drawing is still there
  };
  // One at a time, so that the page answers while many are drawn; a new call replaces the one under way.
  let round = 0;
  const drawAll = async () => {
    const own = ++round;
    delete root.dataset.drawn;
    for (const figure of window.Plotly ? figures : []) {
      await new Promise((resume) => setTimeout(resume));
      if (own !== round) return;
      await draw(figure);
    }
    root.dataset.drawn = "all";
  };

  screenIsNarrow.addEventListener("change", drawAll);
  theme.watch(drawAll);

  // --- Tables sort within each group of rows: a first click upwards, a second downwards.
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  // What has no number comes last, whichever way.
  const compare = (a, b, sign) => {
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? -1 : 1;
    return sign * a.localeCompare(b);
  };
  const sort = (table, header) => {
    const column = [...header.parentNode.cells].indexOf(header);
    const sign = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      rows.sort((a, b) => compare(key(a, column), key(b, column), sign));
      body.append(...rows);
    }
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.querySelectorAll("thead .columns th")) {
      const control = document.createElement("button");
      control.type = "button";
      control.append(...header.childNodes);
      header.append(control);
      control.addEventListener("click", () => sort(table, header));
    }
  }

  // A link into a folded block opens it.
  const linked = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  const unfold = () => {
    const target = document.getElementById(linked());
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Paper cannot be unfolded: what the reader has left folded is open while it prints.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const block of folded) block.open = true;
  });
  addEventListener("afterprint", () => {
    for (const block of folded) block.open = false;
  });
})();
