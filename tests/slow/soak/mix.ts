import assert from "node:assert/strict";
import type { Serving } from "../../support/process_requests.ts";
import { basic } from "../../support/service.ts";
import type { Credentials } from "../../support/tokens.ts";

/** One kind of request and its share of all. */
interface Kind {
  name: string;
  share: number;
  send: () => Promise<Response>;
  /** Statuses that it may be answered with. */
  expects: number[];
}

/** How many addresses there are to one that signs up again. */
const REPEAT_EVERY = 5;

/** The load of a busy day, all kinds of requests mixed. */
export class Mix {
  readonly #service: Serving;
  readonly #credentials: Credentials;
  readonly #kinds: Kind[];
  /** The latest; each is valid for 900 s. */
  #token = "";
  #requests = 0;
  /** Addresses that have signed up, and how many of those sign-ups are answered. */
  #addresses = 0;
  joined = 0;

  constructor(service: Serving, credentials: Credentials) {
    this.#service = service;
    this.#credentials = credentials;
    this.#kinds = [
      { name: "status", share: 40, expects: [200], send: () => this.#get("/api/v1/status") },
      { name: "sign-up", share: 25, expects: [200], send: () => this.#join() },
      { name: "stats", share: 15, expects: [200], send: () => this.#readStats() },
      { name: "token", share: 8, expects: [200], send: () => this.requestToken() },
      { name: "page", share: 5, expects: [200], send: () => this.#get("/developers/") },
      { name: "unknown", share: 2, expects: [404], send: () => this.#get("/api/v1/nothing") },
      // All from one address, most of them over its limit.
      { name: "flood", share: 5, expects: [200, 429], send: () => this.#get("/api/v1", FLOODER) },
    ];
    assert.equal(this.#kinds.reduce((sum, { share }) => sum + share, 0), 100);
  }

  /** Sends the next request, and reads its answer; throws where it is not what it should be. */
  async next(): Promise<void> {
    let rest = this.#requests++ * 37 % 100;
    const kind = this.#kinds.find(({ share }) => (rest -= share) < 0);
    assert.ok(kind);
    const response = await kind.send();
    const text = await response.text();
    assert.ok(kind.expects.includes(response.status), `${kind.name}: ${response.status} ${text}`);
    if (kind.name === "token") this.#token = JSON.parse(text).access_token;
    if (kind.name === "sign-up") this.joined++;
  }

  /** Gets the first token, without which nothing reads statistics. */
  async begin(): Promise<void> {
    const response = await this.requestToken();
    this.#token = (await response.json()).access_token;
  }

  requestToken(): Promise<Response> {
    const { clientId, clientSecret } = this.#credentials;
    return this.#send("/api/v1/oauth/token", {
      method: "POST",
      headers: { Authorization: basic(clientId, clientSecret) },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
  }

  #join(): Promise<Response> {
    const known = this.#addresses % REPEAT_EVERY === 0;
    const n = known ? Math.floor(Math.random() * this.#addresses++) : this.#addresses++;
    return this.#send("/api/v1/waitlist", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        email: `visitor${n}@example.com`,
        consent: true,
        lang: this.#addresses % 2 === 0 ? "de" : "en",
      }),
    });
  }

  #readStats(): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.#token}` };
    return this.#send("/api/v1/waitlist/stats", { headers });
  }

  #get(path: string, source?: string): Promise<Response> {
    return this.#send(path, {}, source);
  }

  #send(path: string, init: RequestInit, source = sourceOf(this.#requests)): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", source);
    return this.#service.request(path, { ...init, headers });
  }
}

const FLOODER = "192.0.2.99";

/** Source addresses enough that none meets a limit. */
function sourceOf(n: number): string {
  // Neighbours are of different networks, each of which causes 60 letters an hour.
  return `10.${n & 255}.${(n >> 8) & 255}.${(n >> 16) & 255}`;
}
