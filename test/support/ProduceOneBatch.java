import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes COUNT small records into partition 0 of TOPIC as one record batch, which kafkajs's own producer cannot in useful time. */
public class ProduceOneBatch {
  public static void main(String[] arguments) throws Exception {
    String topic = arguments[1];
    int count = Integer.parseInt(arguments[2]);
    Properties settings = new Properties();
    settings.put("bootstrap.servers", arguments[0]);
    settings.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    settings.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    settings.put("compression.type", "gzip");
    settings.put("linger.ms", "60000");
    settings.put("batch.size", "100000000");
    settings.put("max.request.size", "100000000");
    settings.put("buffer.memory", "200000000");
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      for (int number = 0; number < count; number++) {
        producer.send(new ProducerRecord<>(topic, 0, "e-" + number, null));
      }
      producer.flush();
    }
  }
}
