import type { ListedClient } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { doneNote, facts, failedView, faultNote, section, showTime } from "../components.ts";
import {
  button,
  confirmView,
  field,
  type Fields,
  type HandedOn,
  isConfirmed,
  knownValue,
  postForm,
} from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import {
  CLIENT_PATH,
  clientPath,
  DELETED_PATH,
  secretView,
  showLastUse,
  showScopes,
  switchBadge,
} from "./list.ts";

/** How long a secret stays valid unless the operator chooses otherwise, in seconds. */
const OVERLAP = "604800";

export const clientPage: ConsolePage = {
  path: CLIENT_PATH,
  async get(pageContext) {
    const { texts, query, newToken, may } = pageContext;
    const { clients: labels } = texts;
    const found = await findClient(pageContext, query.get("id") ?? "");
    if ("body" in found) return found;
    // The page can be loaded again when the client was switched back.
    const done = query.get("done"), state = found.disabled ? "disabled" : "enabled";
    const switched = found.disabled ? "enable" : "disable";
    const changeForm = (action: Change, content: Html) => {
      const fields = { action, client_id: found.client_id };
      return postForm({ action: CLIENT_PATH, fields, attributes: narrow }, content);
    };
    const hintedForm = (action: Exclude<Change, "rename">) =>
      changeForm(
        action,
        markup`<p class="soft">${labels[`${action}Hint`]}</p>
${button(labels[action], action === "enable" ? undefined : "danger")}`,
      );
    const name = markup` required maxlength="100" autocomplete="off" value="${found.name}"`;
    const nameField = markup`${field("name", labels.name, name)}
${button(labels.renameSubmit)}`;
    const rotation = rotateForm(found, texts, newToken());
    return {
      title: found.name,
      body: markup`<p><a href="${PATHS.clients}">${labels.back}</a></p>
${(done === state || done === "renamed") && doneNote(labels.done[done])}
<section>${clientFacts(found, texts)}</section>
<div class="columns">
${may("rotateClient") && section("rotate", labels.rotate, rotation)}
${may("renameClient") && section("rename", labels.rename, changeForm("rename", nameField))}
${may(`${switched}Client`) && section("access", labels.access, hintedForm(switched))}
${may("deleteClient") && section("delete", labels.deleteSubmit, hintedForm("delete"))}
</div>`,
    };
  },
  async post(pageContext, form) {
    const clientId = form.get("client_id") ?? "";
    const action = knownValue(CHANGES, form.get("action"));
    if (!action) return await rotate(pageContext, clientId, form);
    if (action === "delete" && !isConfirmed(form)) {
      return await askFirst(pageContext, "delete", { action, client_id: clientId });
    }
    return await changeClient(pageContext, action, form);
  },
};

async function findClient({ operations, texts }: PageContext, id: string) {
  const { back: title, unknown } = texts.clients;
  const listed = await operations.listClients({});
  if ("failure" in listed) return failedView(listed, texts, { title });
  return listed.clients.find(({ client_id }) => client_id === id) ?? {
    title,
    status: 404,
    body: markup`${faultNote(unknown({ id }))}
<p><a href="${PATHS.clients}">${title}</a></p>`,
  };
}

const CHANGES = ["disable", "enable", "rename", "delete"] as const;

type Change = typeof CHANGES[number];

async function changeClient(
  { operations, texts }: PageContext,
  change: Change,
  form: Fields,
): Promise<View | Response> {
  const id = form.get("client_id") ?? "";
  const changed = change === "rename"
    ? await operations.renameClient({ client_id: id, name: form.get("name")?.trim() ?? "" })
    : await operations[`${change}Client`]({ client_id: id });
  if (!("failure" in changed)) {
    return seeOther(change === "delete" ? DELETED_PATH : clientPath(id, `${change}d`));
  }
  const { access: title, unknown, badName } = texts.clients;
  const known = { not_found: unknown({ id }), invalid_request: badName };
  return failedView(changed, texts, { title, back: PATHS.clients, known });
}

/** Asks before a client is deleted, or before its old secrets end at once. */
async function askFirst(
  pageContext: PageContext,
  what: "delete" | "end",
  fields: HandedOn & { client_id: string },
): Promise<View> {
  const { texts: { clients: labels, words } } = pageContext;
  const client = await findClient(pageContext, fields.client_id);
  if ("body" in client) return client;
  const back = clientPath(fields.client_id);
  return confirmView({
    title: labels[`${what}Title`]({ name: client.name }),
    body: markup`<p>${labels[`${what}Body`]}</p>`,
    action: CLIENT_PATH,
    fields,
    submit: labels[`${what}Submit`],
    cancel: markup`<a class="button" href="${back}">${words.back}</a>`,
  });
}

async function rotate(pageContext: PageContext, id: string, form: Fields) {
  const { operations, texts } = pageContext;
  const { clients: labels } = texts;
  const overlap = form.get("overlap") ?? OVERLAP;
  if (overlap === "0" && !isConfirmed(form)) {
    const fields = { action: "rotate", client_id: id, overlap, token: form.get("token") };
    return await askFirst(pageContext, "end", fields);
  }
  const rotated = await operations.rotateClient({
    client_id: id,
    overlapSeconds: Number(overlap),
  });
  if (!("failure" in rotated)) return secretView(rotated, labels.rotatedTitle, texts);
  const known = {
    not_found: labels.unknown({ id }),
    conflict: labels.tooManySecrets,
    internal_error: labels.maybeRotated,
  };
  return failedView(rotated, texts, { title: labels.rotate, back: clientPath(id), known });
}

function clientFacts(client: ListedClient, texts: ConsoleTexts): Html {
  const { clients: labels, words } = texts;
  const ends = client.secrets.map(({ expiresAt }) =>
    expiresAt === null
      ? markup`<p>${labels.currentSecret}</p>`
      : markup`<p>${labels.endingSecret} ${showTime(expiresAt, texts)}</p>`
  );
  return facts([
    [words.fields.state, switchBadge(client, texts)],
    [labels.id, markup`<code>${client.client_id}</code>`],
    [labels.scopes, showScopes(client, texts)],
    [labels.created, showTime(client.createdAt, texts)],
    [labels.lastUsed, showLastUse(client, texts)],
    [labels.secrets, markup`${ends}`],
  ]);
}

const narrow = markup` class="narrow"`;

function rotateForm({ client_id }: ListedClient, { clients: labels }: ConsoleTexts, token: string) {
  const fields = { action: "rotate", client_id, token };
  // The seconds are in ascending order, as integers that are keys always are.
  const overlaps = Object.entries(labels.overlaps);
  return postForm(
    { action: CLIENT_PATH, fields, attributes: narrow },
    markup`<p class="soft">${labels.rotateHint}</p>
${select({ name: "overlap", label: labels.overlap, chosen: OVERLAP }, overlaps)}
${button(labels.rotateSubmit)}`,
  );
}
