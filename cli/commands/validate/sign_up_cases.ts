import { type Case, form, json, refuses, refusesMethod, TOO_LARGE } from "./case.ts";

const JOIN = { operation: "joinWaitlist", method: "POST", path: "/api/v1/waitlist" };
const LEGACY = { operation: "joinWaitlistLegacy", method: "POST", path: "/api/waitlist" };

const EMAIL = "validation@example.com";
const SIGN_UP = { email: EMAIL, consent: true };
const FORM_SIGN_UP = { email: EMAIL, consent: "true" };

/** Fills in the honeypot: the service answers with success and stores nothing. */
const HONEYPOT = { website: "https://honeypot.example" };

/** The sign-up, at both its paths. */
export const SIGN_UP_CASES: Case[] = [
  {
    ...JOIN,
    does: "accepts JSON with the honeypot filled in",
    send: () => json({ ...SIGN_UP, ...HONEYPOT }),
    status: 200,
  },
  {
    ...JOIN,
    does: "sends a form with the honeypot filled in to the thanks page",
    send: () => form({ ...FORM_SIGN_UP, ...HONEYPOT }),
    status: 303,
    header: ["location", /^\/thanks\/$/],
  },
  {
    ...JOIN,
    does: "accepts JSON with every field",
    send: () => json({ ...SIGN_UP, source: "hero", lang: "de", website: "" }),
    status: 200,
    sandboxOnly: true,
  },
  {
    ...JOIN,
    does: "sends a German form to the German thanks page",
    send: () => form({ email: EMAIL, consent: "on", source: "cta", lang: "de", website: "" }),
    status: 303,
    header: ["location", /^\/de\/danke\/$/],
    sandboxOnly: true,
  },
  {
    ...JOIN,
    ...refuses("malformed JSON", 400, "invalid_json"),
    send: () => ({ ...json({}), body: '{"email":' }),
    sandboxOnly: true,
  },
  {
    ...JOIN,
    ...refuses("an unknown field", 400, "invalid_request"),
    send: () => json({ email: EMAIL, consent: false, name: "Ada" }),
  },
  {
    ...JOIN,
    ...refuses("an unknown source", 400, "invalid_request"),
    send: () => json({ ...SIGN_UP, source: "footer" }),
    sandboxOnly: true,
  },
  {
    ...JOIN,
    ...refuses("a form field given twice", 400, "invalid_request"),
    send: () => ({ body: new URLSearchParams(`email=${EMAIL}&consent=on&lang=de&lang=en`) }),
    sandboxOnly: true,
  },
  {
    ...JOIN,
    ...refuses("a body over 64 KB", 413, "payload_too_large"),
    send: () => json({ ...SIGN_UP, website: TOO_LARGE }),
    sandboxOnly: true,
  },
  {
    ...JOIN,
    ...refuses("another media type", 415, "unsupported_media_type"),
    send: () => ({ headers: { "Content-Type": "text/plain" }, body: EMAIL }),
  },
  {
    ...JOIN,
    ...refuses("an address that is not valid", 422, "invalid_email"),
    send: () => json({ email: "no address", consent: false }),
  },
  {
    ...JOIN,
    ...refuses("a sign-up without consent", 422, "consent_required"),
    send: () => json({ email: EMAIL, consent: false }),
    sandboxOnly: true,
  },
  { ...JOIN, ...refusesMethod("GET") },

  {
    ...LEGACY,
    does: "accepts JSON with the honeypot filled in",
    send: () => json({ ...SIGN_UP, ...HONEYPOT }),
    status: 200,
  },
  {
    ...LEGACY,
    ...refuses("a sign-up without consent", 422, "consent_required"),
    send: () => json({ email: EMAIL, consent: false }),
  },
  {
    ...LEGACY,
    does: "sends a form to the thanks page",
    send: () => form(FORM_SIGN_UP),
    status: 303,
    header: ["location", /^\/thanks\/$/],
    sandboxOnly: true,
  },
  {
    ...LEGACY,
    ...refuses("another media type", 415, "unsupported_media_type"),
    send: () => ({ headers: { "Content-Type": "text/plain" }, body: EMAIL }),
    sandboxOnly: true,
  },
  { ...LEGACY, ...refusesMethod("GET"), sandboxOnly: true },
];
