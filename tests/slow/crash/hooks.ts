/**
 * The reports of a mail provider in `deno task test:crash`: for letters that the mail server has taken, signed calls
 * come in while processes are killed. A call without an answer is made again, as providers do. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { moment, SECRET, sign } from "../../support/mail_hooks.ts";
import { listAll } from "../../support/memory_kv.ts";
import type { Serving } from "../../support/process_requests.ts";
import { storedSignUps } from "../../support/records.ts";
import type { SmtpServer } from "../../support/smtp_server.ts";

/** The variable of a service that takes these reports. */
export const WITH_HOOKS = { MAIL_HOOK: `generic:${SECRET}` };

/** How long it waits for a letter to report, in milliseconds. */
const REST_MS = 5;

interface Report {
  id: string;
  email: string;
  type: "mail.bounced" | "mail.complained";
}

export function createHookLoad(server: SmtpServer) {
  const acknowledged = new Map<string, Report>();
  const refusals: string[] = [];
  /** The report that has no answer yet. */
  let open: Report | undefined;
  let next = 0;
  const seen = new Set<string>();

  function take(): Report | undefined {
    const [email] = server.letters[next]?.to ?? [];
    if (email === undefined) return undefined;
    const n = next++;
    // A second report of the same person changes nothing.
    if (seen.has(email)) return take();
    seen.add(email);
    return { id: `report-${n}`, email, type: n % 2 === 0 ? "mail.bounced" : "mail.complained" };
  }

  return {
    acknowledged,
    /** The addresses that were reported, whether the call had an answer or not. */
    reported: () =>
      new Set([...acknowledged.values(), ...open ? [open] : []].map(({ email }) => email)),
    /** Reports letters until the service is gone. */
    async run(service: Serving): Promise<void> {
      for (;;) {
        open ??= take();
        try {
          if (!open) {
            await (await service.request("/ready")).body?.cancel();
            await delay(REST_MS);
            continue;
          }
          const { id, email, type } = open;
          const data = { email, permanent: true, reason: "550 5.1.1 unknown", messageId: id };
          const at = Date.now();
          const call = sign({ type, timestamp: moment(at), data }, { id, at });
          const response = await service.request("/hooks/mail/generic", call);
          const text = await response.text();
          if (response.status === 200) acknowledged.set(id, open);
          else refusals.push(`A report got ${response.status} ${text.trim()}.`);
          open = undefined;
        } catch {
          // The connection broke: this report was not answered, and the process is gone.
          return;
        }
      }
    },
    /** Says which acknowledged reports have had no effect, and which had one twice. */
    async findingsIn(kv: Kv): Promise<string[]> {
      const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
      const effects = Map.groupBy(entries, ({ value }) => String(value.details?.messageId ?? ""));
      const stored = await storedSignUps(kv);
      const findings = refusals.splice(0);
      for (const { id, email, type } of acknowledged.values()) {
        const count = effects.get(id)?.length ?? 0;
        if (count !== 1) {
          findings.push(`An acknowledged report has ${count} entries in the audit log.`);
        }
        if (type === "mail.complained" && !stored[email]?.complainedAt) {
          findings.push("A complaint was acknowledged, and the record does not have it.");
        }
      }
      return findings;
    },
  };
}
