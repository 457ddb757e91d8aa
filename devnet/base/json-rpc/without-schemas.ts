import type { FastifyServerOptions } from 'fastify'

/**
 * Option of fastify servers whose routes have no schemas: what compiles them, some hundred modules of ajv
 * and fast-json-stringify, is not loaded then.
 */
export const withoutSchemas = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} satisfies FastifyServerOptions

function refuse(): never {
  throw new Error('a route has a schema: its server is not to be made withoutSchemas')
}
