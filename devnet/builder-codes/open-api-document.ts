const error = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
}
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const registration = {
  type: 'object',
  required: ['builderCode', 'walletAddress'],
  properties: {
    builderCode: { type: 'string', pattern: '^bc_[a-z0-9]{8}$' },
    walletAddress: { type: 'string', description: 'EIP-55 form of the registered wallet.' },
  },
}
const refusal = (description: string) => ({ description, ...json(error) })

/** The API's own description, served at /openapi.json. */
export const openApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Agent builder codes', version: '1' },
  paths: {
    '/v1/agents/builder-codes': {
      post: {
        operationId: 'registerBuilderCode',
        summary: 'Returns the builder code of a wallet, making it on the first call. Idempotent.',
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['walletAddress'],
            properties: { walletAddress: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
          }),
        },
        responses: {
          200: { description: 'The wallet was known.', ...json(registration) },
          201: { description: 'The wallet was registered now.', ...json(registration) },
          400: refusal('No JSON, or no valid walletAddress.'),
          413: refusal('The body is too large.'),
          415: refusal('The body is not application/json.'),
          500: refusal('The registration could not be stored: it may be sent again.'),
        },
      },
    },
  },
}
