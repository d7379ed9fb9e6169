/** How long the real process makes a call wait while a real PostgreSQL hangs. @module */
import assert from "node:assert/strict";
import { LINK } from "../../support/invitations.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { type Postgres, startPostgres, test } from "../../support/postgres.ts";
import { type ServiceProcess, startService } from "../../support/process.ts";
import { fromNewSource, operate, sendSignUp, statusOf } from "../../support/process_requests.ts";
import { TcpProxy } from "../../support/tcp_proxy.ts";

/** The deadline of a call, and what a busy machine may need beside it, in milliseconds. */
const DEADLINE_MS = 5_000, ALLOWANCE_MS = 2_000;

const CODE = "the-code-of-the-invited";
const AT = "2026-01-01T00:00:00Z";
const emailOf = (name: string) => `${name}@example.com`;

/** The people of the calls; nobody is in two of them, so that no call waits for another one's commit. */
const NAMES = ["erased", "shown", "corrected", "answered", "confirming", "leaving", "waiting"];

interface Setup {
  service: ServiceProcess;
  /** The token of a person's page. */
  tokenOf: (name: string) => string;
}

/** Posts a form of a person's page. */
const postForm = ({ service }: Setup, path: string, form: Record<string, string>) =>
  service.request(path, {
    method: "POST",
    redirect: "manual",
    headers: fromNewSource(),
    body: new URLSearchParams(form),
  });

const CALLS: Record<string, (setup: Setup) => Promise<Response>> = {
  "sign-up": ({ service }) => sendSignUp(service, { email: emailOf("new") }),
  erase: ({ service }) => operate(service, "/signups/erase", { email: emailOf("erased") }),
  show: ({ service }) => operate(service, "/signups/show", { email: emailOf("shown") }),
  correct: ({ service }) => {
    const newEmail = emailOf("correct");
    return operate(service, "/signups/correct", { email: emailOf("corrected"), newEmail });
  },
  answers: ({ service }) => {
    return operate(service, "/signups/answers", { email: emailOf("answered"), role: "engineer" });
  },
  invite: ({ service }) => {
    const wave = { wave: "w", emails: [emailOf("waiting")], link: LINK, letters: false };
    return operate(service, "/waves", wave);
  },
  redeem: ({ service }) => {
    return operate(service, "/invitations/redeem", { code: CODE, reference: "account" });
  },
  confirm: (setup) => postForm(setup, "/place/confirm", { t: setup.tokenOf("confirming") }),
  leave: (setup) => postForm(setup, "/place/leave", { t: setup.tokenOf("leaving"), sure: "1" }),
};

async function prepare(service: ServiceProcess): Promise<Setup> {
  const lines = NAMES.map((name) => {
    return { email: emailOf(name), consentedAt: AT, ...name === "confirming" && UNCONFIRMED };
  });
  const invited = { email: emailOf("invited"), consentedAt: AT, ...INVITED };
  const body = [...lines, invited].map((line) => `${JSON.stringify(line)}\n`).join("");
  const imported = await service.request("/operator/v1/signups/import", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${OPERATOR_KEY}`,
      "Content-Type": "application/x-ndjson",
    },
    body,
  });
  assert.equal((await imported.json()).new, NAMES.length + 1);
  const listed = await operate(service, "/signups/list", { withPlaceUrl: true });
  const { people } = await listed.json() as { people: { email: string; placeUrl: string }[] };
  const tokens = new Map(people.map(({ email, placeUrl }) => {
    return [email, new URL(placeUrl).searchParams.get("t")!];
  }));
  return { service, tokenOf: (name) => tokens.get(emailOf(name))! };
}

const UNCONFIRMED = { state: "unconfirmed" };
const INVITED = { state: "invited", invitationCode: CODE, invitedAt: AT };

/** How PostgreSQL hangs. */
const HANGS: Record<string, (server: Postgres, proxy: TcpProxy) => unknown> = {
  "its connections are silent": (_, proxy) => proxy.setMode("silent"),
  "its answers are lost": (_, proxy) => proxy.setMode("loses_answers"),
  "its processes are stopped": (server) => server.signalAll("SIGSTOP"),
};

for (const [name, hang] of Object.entries(HANGS)) {
  test(`Each kind of call gets an answer by its deadline when PostgreSQL hangs: ${name}`, async (t) => {
    await using postgres = await startPostgres();
    using proxy = new TcpProxy(`http://127.0.0.1:${postgres.port}`);
    const KV_URL = postgres.urlOf("postgres", new URL(proxy.url).host);
    await using service = await startService({ KV_URL, OPERATOR_KEY, TRUSTED_PROXY_HOPS: "1" });
    const setup = await prepare(service);
    await hang(postgres, proxy);
    // First with connections that fall silent during the calls, then with none that answers.
    for (const round of ["first", "second"]) {
      await t.step(`The ${round} call of each kind`, async () => {
        const ends = await Promise.all(
          Object.entries(CALLS).map(async ([call, send]) => {
            const began = performance.now();
            const status = await statusOf(send(setup));
            return { call, status, ms: Math.round(performance.now() - began) };
          }),
        );
        console.log(`${round}: ${ends.map(({ call, ms }) => `${call} ${ms} ms`).join(", ")}`);
        for (const { call, status, ms } of ends) {
          assert.equal(status, 500);
          assert.ok(ms < DEADLINE_MS + ALLOWANCE_MS, `${call} took ${ms} ms`);
        }
      });
    }
    proxy.passNewOnes();
    proxy.cut();
    await postgres.signalAll("SIGCONT");
    // A call may have taken effect before it was given up, and each of them can be made again.
    for (const [call, send] of Object.entries(CALLS)) {
      await t.step(call, async () => {
        let status = 500;
        for (let tries = 0; status === 500 && tries < 20; tries++) {
          status = await statusOf(send(setup));
        }
        assert.ok(status < 500, `${call}: ${status}`);
      });
    }
    // A server that is late says nothing about its table. The service would refuse all commits.
    assert.doesNotMatch((await service.end("SIGTERM")).stderr, /the store has vanished/);
  });
}
