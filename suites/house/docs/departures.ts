/** A decision by which profile `spec` does otherwise than the check of a rule says. */
export interface Departure {
  rule: string
  /** The open item that was decided. */
  open: string
  instead: string
}

export const DEPARTURES: readonly Departure[] = [
  {
    rule: 'RPC-FLT-06',
    open: 'OPEN-15',
    instead:
      'Where fromBlock is pending the search does not end at latest, before it began: it gives the pre-confirmed logs.',
  },
  {
    rule: 'JRN-15',
    open: 'OPEN-50',
    instead:
      'N is the number of blocks in the range divided by the interval. The last block divided by it would count samples that the range does not have.',
  },
]
