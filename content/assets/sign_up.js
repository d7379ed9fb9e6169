// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Sends the sign-up forms without leaving the page. Without this script they work as plain forms. The
 * words come from the form's attributes, in the page's language.
 *
 * A frame with `sandbox` and without `allow-same-origin` has an opaque origin, from which no script may call the
 * service. There, the browser sends the forms.
 */

/** How long an answer may take, in milliseconds. */
const PATIENCE = 15_000;

/** Characters that nobody sees; texts that were copied from other pages have them. */
const UNSEEN = /[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** What is wrong with a sign-up that was accepted. */
const ACCEPTED = "";

/** How a browser writes an opaque origin. */
const OPAQUE = "null";

const parts = self.origin === OPAQUE ? [] : [...document.querySelectorAll(".sign-up")];
for (const part of parts) {
  const form = part.querySelector("form");
  if (form) enhance(part, form);
}

/**
 * @param {Element} part the form and what takes its place
 * @param {HTMLFormElement} form
 */
function enhance(part, form) {
  const email = /** @type {HTMLInputElement} */ (form.elements.namedItem("email"));
  const consent = /** @type {HTMLInputElement} */ (form.elements.namedItem("consent"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const message = /** @type {HTMLElement} */ (form.querySelector(".message"));
  const done = /** @type {HTMLElement} */ (part.querySelector(".done"));
  const submit = button.textContent;
  const words = form.dataset;

  // The browser's own bubbles speak its language, which need not be the page's.
  form.noValidate = true;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    const faults = [
      complain(email, faultOfAddress()),
      complain(consent, consent.checked ? "" : words.consentRequired),
    ];
    message.textContent = "";
    const first = faults.find((field) => field);
    if (first) return first.focus();
    setSending(true);
    const answer = await send();
    setSending(false);
    if (answer === ACCEPTED) return finish();
    if (answer === words.invalidEmail) return complain(email, answer)?.focus();
    message.textContent = answer;
    message.focus();
  });

  // A fault ends when its field is mended, and not before.
  email.addEventListener("input", () => {
    if (!faultOfAddress()) complain(email, "");
  });
  consent.addEventListener("change", () => {
    if (consent.checked) complain(consent, "");
  });

  done.querySelector(".correct")?.addEventListener("click", () => {
    for (const each of parts) show(each, false);
    email.focus();
    email.select();
  });

  /** What is wrong with the address, if the browser can tell; the API validates it. */
  function faultOfAddress() {
    const [unseen] = UNSEEN.exec(email.value) ?? [];
    if (unseen && email.value.includes("@")) {
      const digits = unseen.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      const text = /\p{White_Space}/u.test(unseen)
        ? words.spaceCharacter
        : words.invisibleCharacter;
      return text?.replace("{character}", `U+${digits}`);
    }
    // deno-lint-ignore no-control-regex -- ASCII is what the API takes.
    if (!/^[\x00-\x7f]*$/.test(email.value)) return words.notAscii;
    return email.validity.valid ? "" : words.invalidEmail;
  }

  /**
   * Shows a fault beside its field, or that there is none.
   *
   * @param {HTMLInputElement} field
   * @param {string | undefined} fault
   * @returns the field if it has a fault
   */
  function complain(field, fault = "") {
    const place = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    if (place) place.textContent = fault;
    field.setAttribute("aria-invalid", String(fault !== ""));
    return fault ? field : undefined;
  }

  /**
   * Sends the form.
   *
   * @returns what is wrong, or that the sign-up was accepted
   */
  async function send() {
    const fields = { ...Object.fromEntries(new FormData(form)), consent: true };
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(fields),
        signal: patience.signal,
      });
      if (response.ok) return ACCEPTED;
      if (response.status === 429) {
        const seconds = response.headers.get("Retry-After") ?? "60";
        return (words.rateLimited ?? "").replace("{seconds}", seconds);
      }
      const { error } = await response.json().catch(() => ({}));
      return (error === "invalid_email" ? words.invalidEmail : words.failed) ?? "";
    } catch {
      return (patience.signal.aborted ? words.timedOut : words.offline) ?? "";
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {boolean} sending */
  function setSending(sending) {
    button.disabled = sending;
    button.textContent = sending ? words.sending ?? submit : submit;
    form.setAttribute("aria-busy", String(sending));
  }

  /** Says thank you in all forms of the page, as they are for the same thing. */
  function finish() {
    for (const each of parts) {
      const given = each.querySelector(".given");
      if (given) given.textContent = email.value;
      show(each, true);
    }
    done.focus();
  }
}

/**
 * Shows what takes the place of a form, or the form again.
 *
 * @param {Element} part
 * @param {boolean} isDone
 */
function show(part, isDone) {
  const [form, done] = [part.querySelector("form"), part.querySelector(".done")];
  form?.toggleAttribute("hidden", isDone);
  done?.toggleAttribute("hidden", !isDone);
}
