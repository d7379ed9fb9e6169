/**
 * What the store keeps for each operator: the saved filters (`saved_filters.ts`), and the number of test letters
 * (`test_letters.ts`). @module
 */
export { createFilterStore, type FilterStore } from "./saved_filters.ts";
export {
  createTestLetterStore,
  type TestLetterBatch,
  type TestLetterStore,
} from "./test_letters.ts";
