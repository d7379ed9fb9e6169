/** The parts that the page of a client and the list of clients share, and the page that shows a secret. @module */
import type {
  IssuedClient,
  ListedClient,
  RotatedClient,
} from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { STATS_SCOPE } from "../../oauth/mod.ts";
import { showTime } from "../components.ts";
import { pathWith } from "../forms.ts";
import type { View } from "../page_context.ts";

/** The path of the page of a client; the query names the client. */
export const CLIENT_PATH = "/operator/clients/client/";

/** The path and query of the page of a client. @param done the change that the page reports as done */
export function clientPath(id: string, done?: "disabled" | "enabled" | "renamed"): string {
  return pathWith(CLIENT_PATH, { id, done });
}

/** Whether the client has access, as a badge. A disabled client gets no tokens. */
export function accessBadge({ disabled }: ListedClient, { clients }: ConsoleTexts): Html {
  const access = disabled ? "disabled" : "enabled";
  return markup`<span class="badge ${access}">${clients[access]}</span>`;
}

/** Shows the scopes of a client, or says that it has none. */
export function showScopes({ scopes }: ListedClient, { clients }: ConsoleTexts): Html | string {
  return scopes.length > 0 ? markup`<code>${scopes.join(" ")}</code>` : clients.noScopes;
}

/** Shows the UTC day on which a client last got a token. */
export function showLastUse({ lastUsed }: ListedClient, texts: ConsoleTexts): Html | string {
  return lastUsed === undefined ? texts.words.never : showTime(lastUsed, texts);
}

/**
 * Returns all that an integrator needs: the credentials, the addresses and the scope as lines for a shell, and the calls
 * that get a token and the statistics. A client that may not read the statistics gets neither the scope nor the calls.
 */
function handOver(
  { client_id, client_secret }: Pick<IssuedClient, "client_id" | "client_secret">,
  { mayReadStats, baseUrl }: { mayReadStats: boolean; baseUrl: string },
): string {
  const credentials = `WAITLIST_CLIENT_ID=${client_id}
WAITLIST_CLIENT_SECRET=${client_secret}
WAITLIST_TOKEN_URL=${baseUrl}/api/v1/oauth/token`;
  if (!mayReadStats) return credentials;
  return `${credentials}
WAITLIST_STATS_URL=${baseUrl}/api/v1/waitlist/stats
WAITLIST_SCOPE=${STATS_SCOPE}

# Gets an access token, which is good for 15 minutes, and the statistics.
# More: ${baseUrl}/developers/
WAITLIST_ACCESS_TOKEN=$(curl -fsS \\
  -u "$WAITLIST_CLIENT_ID:$WAITLIST_CLIENT_SECRET" \\
  -d grant_type=client_credentials -d scope="$WAITLIST_SCOPE" \\
  "$WAITLIST_TOKEN_URL" | jq -r .access_token)
curl -fsS -H "Authorization: Bearer $WAITLIST_ACCESS_TOKEN" \\
  "$WAITLIST_STATS_URL"`;
}

/** A block of text to copy, which scrolls sideways in a narrow window, and can be scrolled with the keyboard. */
function copyBlock(id: string, heading: string, text: string): Html {
  return markup`<h2 id="${id}">${heading}</h2>
<pre role="region" aria-labelledby="${id}" tabindex="0">${text}</pre>`;
}

/**
 * The only page that shows the secret of a client. The service cannot show the secret again, because it keeps only a
 * hash.
 * @param options.scopes the scopes of the client
 */
export function secretView(
  issued: IssuedClient | RotatedClient,
  { title, scopes, texts, baseUrl }: {
    title: string;
    scopes: string[];
    texts: ConsoleTexts;
    baseUrl: string;
  },
): View {
  const { clients: labels } = texts;
  const { client_id, client_secret } = issued;
  const mayReadStats = scopes.includes(STATS_SCOPE);
  const oldSecretUntil = "oldSecretUntil" in issued ? issued.oldSecretUntil : undefined;
  return {
    title,
    script: "copy.js",
    body: markup`<p class="warning" role="status">${labels.keep}</p>
${!mayReadStats && markup`<p class="warning">${labels.readsNothing({ stats: labels.stats })}</p>`}
<article class="secrets" data-copy="${labels.copy}" data-copied="${labels.copied}">
${copyBlock("handOver", labels.both, handOver(issued, { mayReadStats, baseUrl }))}
${copyBlock("clientId", labels.id, client_id)}
${copyBlock("clientSecret", labels.secret, client_secret)}
</article>
${
      oldSecretUntil !== undefined &&
      markup`<p>${labels.oldSecretUntil} ${showTime(oldSecretUntil, texts)}.</p>`
    }
<p><a class="button primary" href="${clientPath(client_id)}">${labels.goOn}</a></p>`,
  };
}
