import assert from "node:assert/strict";
import { ipv4Address } from "../../../../server/limits/client_address.ts";
import { openAddressHash } from "../../../../server/store/limits/address_hash.ts";
import { random } from "../../../support/records.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";

const ADDRESS = ipv4Address(0xc6336407);

test("openAddressHash() makes the same hash of an address in all processes that share a store, and a different hash with another store", async (first) => {
  using second = await openMemoryKv();
  const [one, two, other] = [
    await openAddressHash(first, random),
    await openAddressHash(first, random),
    await openAddressHash(second, random),
  ];
  assert.equal(one(ADDRESS), two(ADDRESS));
  assert.notEqual(one(ADDRESS), other(ADDRESS), "another engine has another key");
});
