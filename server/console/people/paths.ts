/** The paths of a person's pages. None of them has an address in it; forms bring it. */
export const PERSON_PATHS = {
  person: "/operator/people/person/",
  remind: "/operator/people/remind/",
  invite: "/operator/people/invite/",
  undeliverable: "/operator/people/undeliverable/",
  export: "/operator/people/export/",
  erase: "/operator/people/erase/",
} as const;
