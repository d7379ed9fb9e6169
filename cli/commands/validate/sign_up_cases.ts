import { type Case, form, json, refusedMethod, TOO_LARGE } from "./case.ts";

const JOIN = { operation: "joinWaitlist", method: "POST", path: "/api/v1/waitlist" };
const LEGACY = { operation: "joinWaitlistLegacy", method: "POST", path: "/api/waitlist" };

const EMAIL = "validation@example.com";
const SIGN_UP = { email: EMAIL, consent: true };
const FORM_SIGN_UP = { email: EMAIL, consent: "true" };

/** Fills in the honeypot: answered as a success, and nothing is stored. */
const HONEYPOT = { website: "https://robot.example" };

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
    does: "refuses malformed JSON",
    send: () => ({ ...json({}), body: '{"email":' }),
    status: 400,
    error: "invalid_json",
    sandboxOnly: true,
  },
  {
    ...JOIN,
    does: "refuses an unknown field",
    send: () => json({ email: EMAIL, consent: false, name: "Ada" }),
    status: 400,
    error: "invalid_request",
  },
  {
    ...JOIN,
    does: "refuses a source that is none",
    send: () => json({ ...SIGN_UP, source: "footer" }),
    status: 400,
    error: "invalid_request",
    sandboxOnly: true,
  },
  {
    ...JOIN,
    does: "refuses a form field given twice",
    send: () => ({ body: new URLSearchParams(`email=${EMAIL}&consent=on&lang=de&lang=en`) }),
    status: 400,
    error: "invalid_request",
    sandboxOnly: true,
  },
  {
    ...JOIN,
    does: "refuses a body over 64 KB",
    send: () => json({ ...SIGN_UP, website: TOO_LARGE }),
    status: 413,
    error: "payload_too_large",
    sandboxOnly: true,
  },
  {
    ...JOIN,
    does: "refuses another media type",
    send: () => ({ headers: { "Content-Type": "text/plain" }, body: EMAIL }),
    status: 415,
    error: "unsupported_media_type",
  },
  {
    ...JOIN,
    does: "refuses an address that is none",
    send: () => json({ email: "no address", consent: false }),
    status: 422,
    error: "invalid_email",
  },
  {
    ...JOIN,
    does: "refuses a sign-up without consent",
    send: () => json({ email: EMAIL, consent: false }),
    status: 422,
    error: "consent_required",
    sandboxOnly: true,
  },
  { ...JOIN, ...refusedMethod("GET") },

  {
    ...LEGACY,
    does: "accepts JSON with the honeypot filled in",
    send: () => json({ ...SIGN_UP, ...HONEYPOT }),
    status: 200,
  },
  {
    ...LEGACY,
    does: "refuses a sign-up without consent",
    send: () => json({ email: EMAIL, consent: false }),
    status: 422,
    error: "consent_required",
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
    does: "refuses another media type",
    send: () => ({ headers: { "Content-Type": "text/plain" }, body: EMAIL }),
    status: 415,
    error: "unsupported_media_type",
    sandboxOnly: true,
  },
  { ...LEGACY, ...refusedMethod("GET"), sandboxOnly: true },
];
