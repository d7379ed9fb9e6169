import type { IssuedClient, RotatedClient } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { showTime } from "../components.ts";
import type { View } from "../page_context.ts";
import { clientPath } from "./paths.ts";
import type { ClientTexts } from "./texts.ts";

/** Shows the secret of a client, which no other page shows and no cache keeps. */
export function secretView(
  title: string,
  { client_id, client_secret, ...further }: IssuedClient | RotatedClient,
  texts: ClientTexts,
): View {
  const until = "oldSecretUntil" in further ? further.oldSecretUntil : undefined;
  return {
    title,
    copies: true,
    body: markup`<p class="warning" role="status">${texts.keep}</p>
<article class="secrets" data-copy="${texts.copy}" data-copied="${texts.copied}">
<h2>${texts.id}</h2>
<pre tabindex="0">${client_id}</pre>
<h2>${texts.secret}</h2>
<pre tabindex="0">${client_secret}</pre>
</article>
${until !== undefined && markup`<p>${texts.oldSecretUntil} ${showTime(until)}.</p>`}
<p><a class="button" href="${clientPath(client_id)}">${texts.goOn}</a></p>`,
  };
}
