// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Adds a button to each block of code that copies the block, if the browser allows a page to copy text. */

const words = /** @type {HTMLElement} */ (document.querySelector("[data-copy]")).dataset;

if (navigator.clipboard) {
  for (const block of document.querySelectorAll("article > pre")) {
    const frame = document.createElement("div");
    const button = document.createElement("button");
    frame.className = "code";
    button.className = "copy";
    button.type = "button";
    button.textContent = words.copy ?? "";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent?.trimEnd() ?? "");
      button.textContent = words.copied ?? "";
      setTimeout(() => button.textContent = words.copy ?? "", 2_000);
    });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
