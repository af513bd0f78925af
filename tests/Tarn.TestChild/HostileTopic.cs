using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>A topic whose header and messages another process changes to whatever it likes; see <see cref="HostileSides"/>.</summary>
internal static unsafe class HostileTopic
{
    internal static void Run(string[] arguments) => HostileSides.Run(arguments, Create);

    private static HostileSubject Create(GuardedNames names, Random random)
    {
        int longest = random.Next(1, 200);
        SharedTopic topic = SharedTopic.Create(
            names, "hostile", random.Next(1, 40), longest, new SharedRegionOptions { DeleteOnDispose = false });
        SharedTopicReader[] readers =
            [.. Enumerable.Range(0, 4).Select(side => topic.OpenReader(fromOldest: true, holdsWriter: side % 2 == 1))];
        TopicHeader* header = topic.Header;
        int capacity = topic.Capacity;
        return new HostileSubject(
            topic,
            random => Spoil(header, capacity, longest, random),
            (side, random, copies) =>
            {
                if (side % 4 == 0)
                {
                    Write(topic, random, copies);
                }
                else
                {
                    Read(topic, readers[side], random, copies);
                }
            });
    }

    /// <summary>One word of the header or of a slot gets another value, likely or not.</summary>
    private static void Spoil(TopicHeader* words, int capacity, int longest, Random random)
    {
        ulong value = random.Next(3) switch
        {
            0 => (ulong)random.NextInt64(long.MinValue, long.MaxValue),
            1 => (ulong)random.Next(capacity * 4),
            _ => HostileRing.s_values[random.Next(HostileRing.s_values.Length)],
        };
        byte* slot = (byte*)words + TopicHeader.Length
            + ((long)random.Next(capacity + TopicHeader.StepOf(capacity)) * TopicHeader.SlotSize(longest));
        switch (random.Next(13))
        {
            case 0:
                words->Tail = (long)value;
                break;
            case 1:
                words->Limit = (long)value;
                break;
            case 2:
                words->Tail += random.Next(-capacity, capacity + 1);
                break;
            case 3:
                words->Limit += random.Next(-capacity, capacity + 1);
                break;
            case 4:
                words->Namespace = random.Next(2) == 0 ? ProcessIdentity.Namespace : (uint)value;
                words->HasManyKernels = (uint)random.Next(2);
                break;
            case 5:
                words->Holders = value;
                break;
            case 6:
                words->Holders ^= 1ul << random.Next(64);
                break;
            case 7:
                words->Data = new Sleeper { Signal = (uint)value, IsAsleep = (int)(value >> 32) };
                break;
            case 8:
                words->Space = new Sleeper { Signal = (uint)value, IsAsleep = (int)(value >> 32) };
                break;
            case 9:
                words->Members[random.Next(RegionHeader.MostMembers)] = random.Next(2) == 0 ? RoleHolder.Mine.Value : value;
                break;
            case 10:
                words->Positions[random.Next(4) * TopicHeader.LongsPerPosition] = (long)value;
                break;
            case 11:
                words->Writer = random.Next(2) == 0 ? RoleHolder.Mine.Value : value;
                break;
            default:
                *(int*)slot = (int)value;
                break;
        }
    }

    private static void Write(SharedTopic topic, Random random, bool copies)
    {
        TimeSpan timeout = Timeout(random);
        byte[] bytes = new byte[random.Next(topic.MaxMessageLength + 1)];
        switch (random.Next(copies ? 2 : 3))
        {
            case 0:
                _ = topic.Position + topic.WriterProcessId + topic.HoldingReaderCount;
                break;
            case 1:
                topic.Write(bytes, timeout);
                break;
            default:
                if (topic.BeginWrite(topic.MaxMessageLength, out SharedRoom room, timeout))
                {
                    using (room)
                    {
                        room.Span.Fill(0xFF);
                        if (random.Next(4) > 0)
                        {
                            room.Commit(bytes.Length);
                        }
                    }
                }

                break;
        }
    }

    private static void Read(SharedTopic topic, SharedTopicReader reader, Random random, bool copies)
    {
        TimeSpan timeout = Timeout(random);
        byte[] bytes = new byte[topic.MaxMessageLength];
        switch (random.Next(copies ? 2 : 3))
        {
            case 0:
                using (SharedTopicReader another = random.Next(2) == 0
                    ? topic.OpenReader(random.Next(2) == 0, holdsWriter: true)
                    : topic.OpenReaderAt(0, random.Next(2) == 0))
                {
                    another.Read(bytes, out _, timeout);
                }

                break;
            case 1:
                reader.Read(bytes, out _, timeout);
                break;
            default:
                if (reader.BeginRead(out SharedMessage message, timeout))
                {
                    using (message)
                    {
                        message.Span.CopyTo(bytes);
                        if (random.Next(4) > 0)
                        {
                            message.Pass();
                        }
                    }
                }

                break;
        }
    }

    private static TimeSpan Timeout(Random random) => random.Next(3) == 0 ? TimeSpan.Zero : TimeSpan.FromMilliseconds(random.Next(3));
}
