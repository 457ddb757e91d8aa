/** The `$id` of the JSON Schema of what a command prints with `--json`. */
export const schemaIdOf = (command: string): string =>
  `urn:rollbed:json:${command.replaceAll(' ', '-')}:1`
