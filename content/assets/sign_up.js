// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Sends the sign-up forms without leaving the page. Without this script, they work as plain forms. The attributes of
 * the form have the texts, in the language of the page.
 *
 * A frame with `sandbox` but without `allow-same-origin` has an opaque origin, from which no script may call the
 * service. There, the browser sends the forms.
 */

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 15_000;

/** Spaces and invisible characters, which addresses that were copied from other pages may have. */
const INVISIBLE = /[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Well-known domains. A domain that differs from one of them by one slip is a likely typing error. */
const DOMAINS =
  ("gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de yahoo.com " +
    "yahoo.de icloud.com freenet.de t-online.de").split(" ");

/** Other domains that exist, although they differ from a well-known one by one slip. */
const OTHERS = ["mail.com", "email.com", "ymail.com", "cloud.com"];

/** The time after which the hint at a typing error appears, in milliseconds, so that it moves nothing under a click. */
const HINT_DELAY = 300;

/** The error message for a sign-up that was accepted. */
const ACCEPTED = "";

/** The name of an opaque origin. */
const OPAQUE = "null";

const parts = self.origin === OPAQUE ? [] : [...document.querySelectorAll(".sign-up")];
for (const part of parts) {
  const form = part.querySelector("form");
  if (form) enhance(part, form);
}

/**
 * Adds the handlers of the script to a form.
 *
 * @param {Element} part the element with the form and with the thanks that replace it
 * @param {HTMLFormElement} form
 */
function enhance(part, form) {
  const email = /** @type {HTMLInputElement} */ (form.elements.namedItem("email"));
  const consent = /** @type {HTMLInputElement} */ (form.elements.namedItem("consent"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const message = /** @type {HTMLElement} */ (form.querySelector(".message"));
  const hint = /** @type {HTMLElement} */ (part.querySelector(".hint"));
  const done = /** @type {HTMLElement} */ (part.querySelector(".done"));
  const submit = button.textContent;
  const words = form.dataset;

  // The browser's own messages would be in the language of the browser, which may differ from the page's.
  form.noValidate = true;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    const faults = [
      showFault(email, faultOfAddress()),
      showFault(consent, consent.checked ? "" : words.consentRequired),
    ];
    message.textContent = "";
    const first = faults.find((field) => field);
    if (first) return first.focus();
    setSending(true);
    const answer = await send();
    setSending(false);
    if (answer === ACCEPTED) return finish();
    if (answer === words.invalidEmail) return showFault(email, answer)?.focus();
    message.textContent = answer;
    message.focus();
  });

  // An error message stays until its field is right.
  email.addEventListener("input", () => {
    hint.replaceChildren();
    if (!faultOfAddress()) showFault(email, "");
  });
  email.addEventListener("change", () => setTimeout(hintAtTypingError, HINT_DELAY));
  consent.addEventListener("change", () => {
    if (consent.checked) showFault(consent, "");
  });

  done.querySelector(".correct")?.addEventListener("click", () => {
    for (const each of parts) show(each, false);
    email.focus();
    email.select();
  });

  /** Returns the error message for an address that is plainly wrong. The API validates all other addresses. */
  function faultOfAddress() {
    const [invisible] = INVISIBLE.exec(email.value) ?? [];
    if (invisible && email.value.includes("@")) {
      const digits = invisible.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      const text = /\p{White_Space}/u.test(invisible)
        ? words.spaceCharacter
        : words.invisibleCharacter;
      return text?.replace("{character}", `U+${digits}`);
    }
    // deno-lint-ignore no-control-regex -- The API accepts ASCII only, which includes the control characters.
    if (!/^[\x00-\x7f]*$/.test(email.value)) return words.notAscii;
    return email.validity.valid ? "" : words.invalidEmail;
  }

  /**
   * Shows an error message beside its field. An empty message removes the one before.
   *
   * @param {HTMLInputElement} field
   * @param {string | undefined} fault
   * @returns the field if it has an error message
   */
  function showFault(field, fault = "") {
    const place = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    if (place) place.textContent = fault;
    field.setAttribute("aria-invalid", String(fault !== ""));
    return fault ? field : undefined;
  }

  /** Offers the address with a well-known domain where the domain has a slip. The address as typed can be sent too. */
  function hintAtTypingError() {
    const [, name, domain = ""] = /^(.+@)(.+)$/.exec(email.value) ?? [];
    const meant = correctDomain(domain.toLowerCase());
    if (!meant) return;
    const [before = "", after = ""] = (words.didYouMean ?? "").split("{address}");
    const use = document.createElement("button");
    use.type = "button";
    use.textContent = name + meant;
    use.addEventListener("click", () => {
      email.value = name + meant;
      email.dispatchEvent(new Event("input"));
      email.focus();
    });
    hint.replaceChildren(before, use, after);
  }

  /**
   * Sends the form.
   *
   * @returns the error message, or {@linkcode ACCEPTED}
   */
  async function send() {
    const fields = { ...Object.fromEntries(new FormData(form)), consent: true };
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), TIMEOUT);
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(fields),
        signal: controller.signal,
      });
      if (response.ok) return ACCEPTED;
      if (response.status === 429) {
        const seconds = response.headers.get("Retry-After") ?? "60";
        return (words.rateLimited ?? "").replace("{seconds}", seconds);
      }
      const { error } = await response.json().catch(() => ({}));
      return (error === "invalid_email" ? words.invalidEmail : words.failed) ?? "";
    } catch {
      return (controller.signal.aborted ? words.timedOut : words.offline) ?? "";
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Shows whether the form is being sent.
   *
   * @param {boolean} sending
   */
  function setSending(sending) {
    button.disabled = sending;
    button.textContent = sending ? words.sending ?? submit : submit;
    form.setAttribute("aria-busy", String(sending));
  }

  /** Shows the thanks in place of all forms of the page, because all forms are for the same list. */
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
 * Shows the thanks in place of a form, or the form again.
 *
 * @param {Element} part
 * @param {boolean} isDone
 */
function show(part, isDone) {
  part.querySelector("form")?.toggleAttribute("hidden", isDone);
  part.querySelector(".done")?.toggleAttribute("hidden", !isDone);
}

/**
 * Returns the well-known domain from which a domain differs by one slip: a character too few, too many or another one,
 * or two neighbours in the wrong order.
 *
 * @param {string} domain
 */
function correctDomain(domain) {
  if (DOMAINS.includes(domain) || OTHERS.includes(domain)) return undefined;
  return DOMAINS.find((known) => {
    let start = 0;
    while (start < known.length && known[start] === domain[start]) start++;
    // Another country's ending, such as `outlook.be`, is no slip.
    if (known.endsWith(".de") && start > known.length - 3) return false;
    const [rest, typed] = [known.slice(start), domain.slice(start)];
    return rest.slice(1) === typed || rest === typed.slice(1) || rest.slice(1) === typed.slice(1) ||
      typed[1] + typed[0] + typed.slice(2) === rest;
  });
}
