// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Sends the sign-up forms without leaving the page. Without this script they work as plain forms. The
 * words come from the form's attributes, in the page's language.
 */

for (const form of document.querySelectorAll(".sign-up form")) {
  if (form instanceof HTMLFormElement) enhance(form);
}

/** @param {HTMLFormElement} form */
function enhance(form) {
  const email = /** @type {HTMLInputElement} */ (form.elements.namedItem("email"));
  const consent = /** @type {HTMLInputElement} */ (form.elements.namedItem("consent"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const message = /** @type {HTMLElement} */ (form.querySelector(".message"));
  const submit = button.textContent;
  const words = form.dataset;

  // The browser's own bubbles speak its language, which need not be the page's.
  form.noValidate = true;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    clear();
    if (!email.validity.valid) return complain(words.invalidEmail, email);
    if (!consent.checked) return complain(words.consentRequired, consent);
    setSending(true);
    const response = await send();
    setSending(false);
    if (response?.ok) return finish();
    await explain(response);
  });

  async function send() {
    const fields = { ...Object.fromEntries(new FormData(form)), consent: true };
    try {
      return await fetch(form.action, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(fields),
      });
    } catch {
      return undefined; // no connection
    }
  }

  /** @param {Response | undefined} response */
  async function explain(response) {
    if (response?.status === 429) {
      const seconds = response.headers.get("Retry-After") ?? "60";
      return complain(words.rateLimited?.replace("{seconds}", seconds), message);
    }
    const { error } = await response?.json().catch(() => ({})) ?? {};
    if (error === "invalid_email") return complain(words.invalidEmail, email);
    if (error === "consent_required") return complain(words.consentRequired, consent);
    complain(words.failed, message);
  }

  /**
   * @param {string | undefined} text
   * @param {HTMLElement} target what is to be mended, or the message itself
   */
  function complain(text = "", target) {
    message.textContent = text;
    if (target !== message) {
      target.setAttribute("aria-invalid", "true");
      target.setAttribute("aria-describedby", message.id);
    }
    target.focus();
  }

  function clear() {
    message.textContent = "";
    for (const field of [email, consent]) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  }

  /** @param {boolean} sending */
  function setSending(sending) {
    button.disabled = sending;
    button.textContent = sending ? words.sending ?? submit : submit;
    form.setAttribute("aria-busy", String(sending));
  }

  function finish() {
    const done = /** @type {HTMLElement} */ (form.nextElementSibling);
    // The message names the address where a letter may be on its way to it.
    const given = done.querySelector(".given");
    if (given) given.textContent = email.value;
    done.hidden = false;
    // Hidden to everyone, but still taking its place, so that nothing on the page moves.
    form.classList.add("sent");
    done.focus();
  }
}
