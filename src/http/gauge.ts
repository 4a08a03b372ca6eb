import { Gauge, type Registry } from 'prom-client'

/** A gauge without labels that shows nothing until it is known: prom-client would show 0, which alarms would believe. */
export function unknownGauge(registry: Registry, name: string, help: string): Gauge {
  const gauge = new Gauge({ name, help, registers: [registry] })
  gauge.remove()
  return gauge
}
