// Light and dark, for every page: as the system is, until the reader presses the button #theme. A page opened from disk may be
// refused storage; the choice then lasts as long as the page.
"use strict";
const theme = (() => {
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
  const storage = {
    get: () => { try { return localStorage.getItem("nouq-theme"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("nouq-theme", value); } catch { /* not remembered */ } },
  };
  let chosen = storage.get();
  let changed = () => {};
  const now = () => (["light", "dark"].includes(chosen) ? chosen : systemIsDark.matches ? "dark" : "light");
  const apply = () => {
    const button = document.getElementById("theme");
    document.documentElement.dataset.theme = now();
    button.textContent = now() === "dark" ? "Light" : "Dark";
    button.hidden = false;
    changed();
  };
  // Calls `redraw` now, and whenever the colours change.
  const watch = (redraw) => {
    changed = redraw;
    document.getElementById("theme").addEventListener("click", () => {
      chosen = now() === "dark" ? "light" : "dark";
      storage.set(chosen);
      apply();
    });
    systemIsDark.addEventListener("change", apply);
    apply();
  };
  return { now, watch };
})();
