/**
 * Programs that call the service with a generated client, one a generator: each signs `EMAIL` up in German at `BASE_URL`,
 * signs it up again without a language, lists it with `OPERATOR_KEY`, and prints address and language of the record.
 * @module
 */

/** In TypeScript, with the types of openapi-typescript and the client that reads them. */
export const OPENAPI_TYPESCRIPT = `
import createClient from "openapi-fetch";
import type { paths as OperatorPaths } from "./waitlist_operator.js";
import type { paths as PublicPaths } from "./waitlist_public.js";

const { BASE_URL: baseUrl, EMAIL: email = "", OPERATOR_KEY } = process.env;
const api = createClient<PublicPaths>({ baseUrl });
for (const answers of [{ lang: "de" } as const, {}]) {
  const { data } = await api.POST("/api/v1/waitlist", { body: { email, consent: true, ...answers } });
  if (!data?.accepted) throw new Error("The sign-up is not accepted");
}
const operator = createClient<OperatorPaths>({
  baseUrl,
  headers: { Authorization: \`Bearer \${OPERATOR_KEY}\` },
});
const list = await operator.POST("/operator/v1/signups/list", {
  body: { search: email },
});
const person = list.data?.people[0];
console.log(person?.email, person?.lang);
`;

/** In TypeScript, with `@hey-api/openapi-ts`. */
export const HEY_API = `
import * as operator from "./waitlist_operator/index.js";
import { createClient } from "./waitlist_operator/client/index.js";
import { joinWaitlist } from "./waitlist_public/index.js";
import { client } from "./waitlist_public/client.gen.js";

const { BASE_URL: baseUrl = "", EMAIL: email = "", OPERATOR_KEY } = process.env;
client.setConfig({ baseUrl });
for (const answers of [{ lang: "de" } as const, {}]) {
  const { data } = await joinWaitlist({ body: { email, consent: true, ...answers } });
  if (!data?.accepted) throw new Error("The sign-up is not accepted");
}
const list = await operator.listSignups({
  client: createClient({ baseUrl, auth: OPERATOR_KEY }),
  body: { search: email },
});
const person = list.data?.people[0];
console.log(person?.email, person?.lang);
`;

/** In TypeScript, with orval. Its client uses paths without an origin, so that the program gives `fetch` the origin. */
export const ORVAL = `
import { listSignups } from "./waitlist_operator.js";
import { joinWaitlist } from "./waitlist_public.js";

const { BASE_URL: baseUrl, EMAIL: email = "", OPERATOR_KEY } = process.env;
const { fetch: send } = globalThis;
globalThis.fetch = (path, init) => send(new URL(String(path), baseUrl), init);
for (const answers of [{ lang: "de" } as const, {}]) {
  const { status, data } = await joinWaitlist({ email, consent: true, ...answers });
  if (status !== 200 || !data.accepted) throw new Error("The sign-up is not accepted");
}
const headers = { Authorization: \`Bearer \${OPERATOR_KEY}\` };
const list = await listSignups({ search: email }, { headers });
const person = list.status === 200 ? list.data.people[0] : undefined;
console.log(person?.email, person?.lang);
`;

/** In Python, with openapi-python-client. */
export const OPENAPI_PYTHON_CLIENT = `
import os

from waitlist_operator import AuthenticatedClient
from waitlist_operator.api.sign_ups import list_signups
from waitlist_operator.models import ListRequest, SignupPage
from waitlist_public import Client
from waitlist_public.api.waitlist import join_waitlist
from waitlist_public.models import Accepted, WaitlistSignup, WaitlistSignupLang

base_url, email = os.environ["BASE_URL"], os.environ["EMAIL"]
for answers in ({"lang": WaitlistSignupLang.DE}, {}):
    signup = WaitlistSignup(email=email, consent=True, **answers)
    accepted = join_waitlist.sync(client=Client(base_url), body=signup)
    assert isinstance(accepted, Accepted), accepted
operator = AuthenticatedClient(base_url, token=os.environ["OPERATOR_KEY"])
page = list_signups.sync(client=operator, body=ListRequest(search=email))
assert isinstance(page, SignupPage), page
print(page.people[0].email, page.people[0].lang)
`;

/** In Python, with the models of datamodel-codegen. The program sends what the models say, as far as they say something. */
export const DATAMODEL_CODEGEN = `
import os
import urllib.request

from waitlist_operator import ListRequest, SignupPage
from waitlist_public import Accepted, WaitlistSignup

base_url, email = os.environ["BASE_URL"], os.environ["EMAIL"]

def post(path, model, headers={}):
    body = model.model_dump_json(exclude_none=True).encode()
    headers = {"Content-Type": "application/json", **headers}
    with urllib.request.urlopen(urllib.request.Request(base_url + path, body, headers)) as response:
        return response.read()

for answers in ({"lang": "de"}, {}):
    signup = WaitlistSignup(email=email, consent=True, **answers)
    assert Accepted.model_validate_json(post("/api/v1/waitlist", signup)).accepted
authorization = {"Authorization": "Bearer " + os.environ["OPERATOR_KEY"]}
listed = post("/operator/v1/signups/list", ListRequest(search=email), authorization)
person = SignupPage.model_validate_json(listed).people[0]
print(person.email, person.lang.value)
`;

/** In Go, with oapi-codegen. */
export const OAPI_CODEGEN = `
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/clients/waitlist_operator"
	"example.com/clients/waitlist_public"
	"github.com/oapi-codegen/runtime/types"
)

func main() {
	ctx, url, email := context.Background(), os.Getenv("BASE_URL"), os.Getenv("EMAIL")
	api, err := waitlist_public.NewClientWithResponses(url)
	check(err)
	german := waitlist_public.WaitlistSignupLangDe
	for _, lang := range []*waitlist_public.WaitlistSignupLang{&german, nil} {
		joined, err := api.JoinWaitlistWithResponse(ctx, nil, waitlist_public.WaitlistSignup{
			Email:   types.Email(email),
			Consent: true,
			Lang:    lang,
		})
		check(err)
		if joined.JSON200 == nil || !joined.JSON200.Accepted {
			panic(joined.Status())
		}
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("OPERATOR_KEY"))
		return nil
	}
	operator, err := waitlist_operator.NewClientWithResponses(
		url, waitlist_operator.WithRequestEditorFn(authorize))
	check(err)
	list, err := operator.ListSignupsWithResponse(ctx, waitlist_operator.ListRequest{Search: &email})
	check(err)
	person := list.JSON200.People[0]
	fmt.Println(person.Email, person.Lang)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`;

/** In Go, with ogen. */
export const OGEN = `
package main

import (
	"context"
	"fmt"
	"os"

	"example.com/clients/waitlist_operator"
	"example.com/clients/waitlist_public"
)

// The operations of the program need no access token.
type nobody struct{}

func (nobody) AccessToken(context.Context, waitlist_public.OperationName) (token waitlist_public.AccessToken, err error) {
	return
}

func (nobody) ClientBasic(context.Context, waitlist_public.OperationName) (basic waitlist_public.ClientBasic, err error) {
	return
}

type operatorKey struct{}

func (operatorKey) OperatorKey(context.Context, waitlist_operator.OperationName) (waitlist_operator.OperatorKey, error) {
	return waitlist_operator.OperatorKey{Token: os.Getenv("OPERATOR_KEY")}, nil
}

func main() {
	ctx, url, email := context.Background(), os.Getenv("BASE_URL"), os.Getenv("EMAIL")
	api, err := waitlist_public.NewClient(url, nobody{})
	check(err)
	german := waitlist_public.NewOptWaitlistSignupLang(waitlist_public.WaitlistSignupLangDe)
	for _, lang := range []waitlist_public.OptWaitlistSignupLang{german, {}} {
		signup := &waitlist_public.WaitlistSignup{Email: email, Consent: true, Lang: lang}
		joined, err := api.JoinWaitlist(ctx, signup, waitlist_public.JoinWaitlistParams{})
		check(err)
		if accepted, ok := joined.(*waitlist_public.AcceptedHeaders); !ok || !accepted.Response.Accepted {
			panic(joined)
		}
	}
	operator, err := waitlist_operator.NewClient(url, operatorKey{})
	check(err)
	list := &waitlist_operator.ListRequest{Search: waitlist_operator.NewOptString(email)}
	listed, err := operator.ListSignups(ctx, list)
	check(err)
	person := listed.(*waitlist_operator.SignupPageHeaders).Response.People[0]
	fmt.Println(person.Email, person.Lang)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`;
