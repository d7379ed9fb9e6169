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
