/**
 * Stores filters of the list of people, which operators save under names. All filters of an operator are in one entry,
 * so that one commit can limit their number. A backup holds no filters. @module
 */
import type { AuditEntry, SavedFilter } from "../../../shared/operator_schemas.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { changeEntry, findValue, type Kv, savedFiltersKey } from "../kv/mod.ts";

/** How many filters an operator can save. */
const MAX_FILTERS = 50;

/** What the operator's operations do with saved filters. */
export interface FilterStore {
  /** Lists the filters of an operator in the order of their names. */
  listFilters: (operator: string) => Promise<SavedFilter[]>;
  /** Saves a filter, or replaces a filter with the same name; `undefined` if the operator has too many filters. */
  saveFilter: (
    operator: string,
    filter: SavedFilter,
    audit: AuditEntry,
  ) => Promise<SavedFilter[] | undefined>;
  /** Removes a filter of an operator; `undefined` if the operator has no filter with this name. */
  removeFilter: (
    operator: string,
    name: string,
    audit: AuditEntry,
  ) => Promise<SavedFilter[] | undefined>;
}

/** Makes the store for one call of an operator. All reads and commits of the store end at the deadline of this call. */
export function createFilterStore({ kv }: { kv: Kv }): FilterStore {
  /** Changes the filters of an operator. `change` gives `undefined` if nothing can be changed. */
  function changeFilters(
    operator: string,
    audit: AuditEntry,
    change: (filters: SavedFilter[]) => SavedFilter[] | undefined,
  ): Promise<SavedFilter[] | undefined> {
    return changeEntry<SavedFilter[], SavedFilter[] | undefined>(
      kv,
      savedFiltersKey(operator),
      (filters = []) => {
        const newFilters = change(filters);
        // An empty list leaves no entry.
        return { newValue: newFilters?.length === 0 ? null : newFilters, result: newFilters };
      },
      (commit) => setAuditEntry(commit, audit),
    );
  }

  return {
    listFilters: async (operator) =>
      await findValue<SavedFilter[]>(kv, savedFiltersKey(operator)) ?? [],
    saveFilter: (operator, filter, audit) =>
      changeFilters(operator, audit, (filters) => {
        const others = filters.filter(({ name }) => name !== filter.name);
        if (others.length >= MAX_FILTERS) return undefined;
        return [...others, filter].sort((one, other) => one.name < other.name ? -1 : 1);
      }),
    removeFilter: (operator, name, audit) =>
      changeFilters(operator, audit, (filters) => {
        const others = filters.filter((filter) => filter.name !== name);
        return others.length < filters.length ? others : undefined;
      }),
  };
}
