/** One parameter of a fault, as JSON Schema. */
export interface FaultField {
  type: 'number' | 'integer' | 'boolean' | 'string'
  description?: string
  default: number | boolean | string
  enum?: string[]
  minimum?: number
  maximum?: number
}

/** A field for each parameter of a fault, filled with what it is by default. */
export function FaultFields({ fields }: { fields: Readonly<Record<string, FaultField>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <div key={name} class="field">
          <label for={`field-${name}`}>
            {name}
            {field.description && `: ${field.description}`}
          </label>
          <Field name={name} field={field} />
        </div>
      ))}
    </>
  )
}

function Field({ name, field }: { name: string; field: FaultField }) {
  const id = `field-${name}`
  if (field.enum) {
    return (
      <select id={id} name={name} defaultValue={String(field.default)}>
        {field.enum.map((choice) => (
          <option key={choice} selected={choice === field.default}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  if (field.type === 'boolean') {
    return <input id={id} name={name} type="checkbox" defaultChecked={field.default === true} />
  }
  return (
    <input
      {...{ id, name, type: 'number', required: true, defaultValue: String(field.default) }}
      {...{ min: field.minimum, max: field.maximum }}
      step={field.type === 'integer' ? 1 : 'any'}
    />
  )
}

/** What the fields hold, as `rollbed_faultInject` takes it. */
export function parametersOf(form: FormData, fields: Readonly<Record<string, FaultField>>) {
  const entries = Object.entries(fields).map(([name, { type }]) => {
    const value = form.get(name)
    if (type === 'boolean') return [name, value !== null]
    return [name, type === 'string' ? value : Number(value)]
  })
  return Object.fromEntries(entries)
}
