// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Adds a checkbox to the head of a list that chooses all rows of the page, and says how many rows are chosen.
 * Focuses the search if the page asks for it.
 */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-choose-all]"));
const boxes = /** @type {HTMLInputElement[]} */ (
  [...form.querySelectorAll("tbody input[type=checkbox]")]
);
const all = document.createElement("input");
const label = document.createElement("label");
const count = document.createElement("span");
all.type = "checkbox";
label.append(all, ` ${form.dataset.chooseAll}`);
count.role = "status";

function show() {
  const chosen = boxes.filter(({ checked }) => checked).length;
  all.checked = chosen === boxes.length;
  all.indeterminate = chosen > 0 && !all.checked;
  count.textContent = (form.dataset.chosen ?? "").replace("{count}", String(chosen));
}

all.addEventListener("change", () => {
  for (const box of boxes) box.checked = all.checked;
});
form.addEventListener("change", show);
// A browser that goes back to the list may restore the choices after this script has run.
addEventListener("pageshow", show);
form.querySelector("thead th")?.prepend(label);
form.querySelector(".actions")?.prepend(count, " ");
show();

// Without a mouse, as on phones, the focus would open the keyboard on the screen. An operator who has already focused
// something keeps the focus, and a browser that goes back to the list keeps the place to which it was scrolled.
const search = document.getElementById(form.dataset.focus ?? "");
const hasMouse = matchMedia("(hover: hover) and (pointer: fine)").matches;
if (hasMouse && document.activeElement === document.body) search?.focus({ preventScroll: true });
