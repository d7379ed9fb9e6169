// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Sends the form that tries an import, and shows the answer in the page. The page keeps the chosen file for the
 * second form, which imports the file. Without this script, the operator would have to choose the file a second time.
 */

/** @param {HTMLFormElement} form @param {FileList} files */
async function showAnswer(form, files) {
  const body = new FormData(form);
  const answer = await fetch(location.href, { method: "POST", body });
  const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = shown.querySelector("main");
  // A proxy that refuses large bodies, for example, answers with a page of its own.
  if (!main) throw new Error("The answer is not a page of the console.");
  document.querySelector("main")?.replaceWith(main);
  document.title = shown.title;
  for (const input of main.querySelectorAll("input")) {
    if (input.type === "file") input.files = files;
  }
  // A hidden field of a form is sent as well.
  for (const part of main.querySelectorAll("[data-again]")) part.toggleAttribute("hidden", true);
  scrollTo(0, 0);
  main.focus();
}

addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const input = /** @type {HTMLInputElement | null} */ (form.querySelector("input[type=file]"));
  if (!("try" in form.dataset) || !input?.files) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  button.disabled = true;
  try {
    await showAnswer(form, input.files);
  } catch {
    // The browser sends the form itself, and shows the answer or its own error page.
    form.submit();
  }
});
