import { errorRows } from './error-row.ts'

/** Libraries and builder codes: numbers from 1200 on. */
export const CLIENTS_ERRORS = errorRows({
  ACCOUNT_MISSING: { number: 1201, title: 'It is not said whose money it is' },
  BALANCE_TOO_LOW: { number: 1202, title: 'The account cannot pay the fees' },
  CONFIRMATION_TIMEOUT: { number: 1203, title: 'A transaction is not confirmed in time' },
  TRANSACTION_REVERTED: { number: 1204, title: 'A transaction reverted' },
  WEBSOCKET_NEEDED: { number: 1205, title: 'This needs a WebSocket' },
  WITHDRAWAL_NOT_PROVEN: { number: 1206, title: 'A withdrawal is not proven on L1' },
  GAME_LOST: { number: 1207, title: 'The game of a withdrawal is lost' },
  BUILDER_CODES_UNREACHABLE: { number: 1208, title: 'The builder-code API does not answer' },
  BUILDER_CODE_DB_UNREACHABLE: {
    number: 1209,
    title: 'The database of builder codes does not answer',
  },
  BUILDER_CODE_INVALID: {
    number: 1210,
    title: 'These codes fit into no suffix',
    action: 'Give codes of printable ASCII without space or comma, 255 bytes in all at most.',
  },
  BUILDER_CODE_REFUSED: {
    number: 1211,
    title: 'The API gave no builder code',
    action: "The message has the API's own words.",
  },
  NO_SUCH_ACCOUNT: {
    number: 1212,
    title: 'The devnet has no such account',
    action: 'Give the index of one of its accounts, from 0 on.',
  },
})
