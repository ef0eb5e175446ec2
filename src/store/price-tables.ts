// Prices as the query builder sees them.

export interface PriceTable {
  model: string;
  document: string;
  declared: 0 | 1;
}

/** Rows taken from the published price list. */
export interface ListedPriceTable {
  model: string;
  document: string;
}
