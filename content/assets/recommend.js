// @ts-check
/// <reference lib="dom" />
/**
 * Shows the buttons that copy and share the link to recommend, where the browser has what they need. Without this
 * script, the page has the link as text and the plain links to share it.
 */

const field = /** @type {HTMLInputElement | null} */ (document.getElementById("referral-link"));
if (field) enhance(field);

/** @param {HTMLInputElement} field the field with the link */
function enhance(field) {
  field.addEventListener("focus", () => field.select());

  const copy = document.getElementById("copy-link");
  if (copy && navigator.clipboard) {
    const status = /** @type {HTMLElement} */ (document.querySelector(".copied"));
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(field.value);
      status.textContent = copy.dataset.copied ?? "";
      setTimeout(() => status.textContent = "", 4_000);
    });
  }

  const share = document.getElementById("share-link");
  // The type says that all browsers have this function, but Firefox for computers has not.
  if (share && "share" in navigator) {
    share.closest("li")?.removeAttribute("hidden");
    share.addEventListener("click", () => {
      // The promise is rejected when the person closes the sheet.
      navigator.share({ text: share.dataset.text ?? "", url: field.value }).catch(() => {});
    });
  }
}
