using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// A queue between guard pages whose header and slots another process would change to whatever it likes: before it is used, and during
/// calls. Arguments: "before" or "during", the seed, and how long in milliseconds.
/// </summary>
/// <remarks>As with <see cref="HostileRing"/>, what is not documented ends the process, and so does a call that hangs.</remarks>
internal static unsafe class HostileQueue
{
    internal static void Run(string[] arguments) => HostileSides.Run(arguments, Create);

    private static HostileSubject Create(GuardedNames names, Random random)
    {
        int longest = random.Next(1, 200);
        SharedQueue queue = SharedQueue.Create(
            names, "hostile", 2 << random.Next(4), longest, new SharedRegionOptions { DeleteOnDispose = false });
        byte* header = (byte*)queue.Header;
        int capacity = queue.Capacity;
        return new HostileSubject(
            queue,
            random => Spoil(header, capacity, longest, random),
            (side, random, copies) => Call(queue, side % 2 == 0, random, copies));
    }

    /// <summary>One word of the header or of a slot gets another value, likely or not.</summary>
    private static void Spoil(byte* header, int capacity, int longest, Random random)
    {
        QueueHeader* words = (QueueHeader*)header;
        ulong value = random.Next(3) switch
        {
            0 => (ulong)random.NextInt64(long.MinValue, long.MaxValue),
            1 => (ulong)random.Next(capacity * 4),
            _ => HostileRing.s_values[random.Next(HostileRing.s_values.Length)],
        };
        byte* slot = header + QueueHeader.Length + ((long)random.Next(capacity) * QueueHeader.SlotSize(longest));
        switch (random.Next(12))
        {
            case 0:
                words->Tail = (long)value;
                break;
            case 1:
                words->Head = (long)value;
                break;
            case 2:
                words->Tail += random.Next(-capacity, capacity);
                break;
            case 3:
                words->Head += random.Next(-capacity, capacity);
                break;
            case 4:
                words->Namespace = random.Next(2) == 0 ? ProcessIdentity.Namespace : (uint)value;
                words->HasManyKernels = (uint)random.Next(2);
                break;
            case 5:
                words->Returns = (uint)value;
                break;
            case 6:
                words->Data = new Sleeper { Signal = (uint)value, IsAsleep = (int)(value >> 32) };
                break;
            case 7:
                words->Space = new Sleeper { Signal = (uint)value, IsAsleep = (int)(value >> 32) };
                break;
            case 8:
                words->Members[random.Next(RegionHeader.MostMembers)] = random.Next(2) == 0 ? RoleHolder.Mine.Value : value;
                break;
            case 9:
                *(int*)(slot + sizeof(ulong)) = (int)value;
                break;
            case 10:
                *(ulong*)slot = value;
                break;
            default:
                // A word that agrees with the header, but for its truth.
                *(ulong*)slot = SlotWord.Of(
                    (SlotKind)random.Next(8), (words->Tail / capacity) + random.Next(-1, 2), random.Next(RegionHeader.MostMembers)).Value;
                break;
        }
    }

    /// <summary>Uses no spans of the queue where it may be disposed at the same time, because they must not be used then.</summary>
    private static void Call(SharedQueue queue, bool writes, Random random, bool copies)
    {
        TimeSpan timeout = random.Next(3) == 0 ? TimeSpan.Zero : TimeSpan.FromMilliseconds(random.Next(3));
        byte[] bytes = new byte[queue.MaxMessageLength];
        switch (random.Next(copies ? 2 : 3))
        {
            case 0:
                _ = queue.SkippedCount + queue.ReturnedCount + queue.MemberCount;
                break;
            case 1 when writes:
                queue.Write(bytes.AsSpan(0, random.Next(bytes.Length + 1)), timeout);
                break;
            case 1:
                queue.Read(bytes, out _, timeout);
                break;
            default:
                if (writes)
                {
                    WriteInPlace(queue, random, timeout);
                }
                else
                {
                    ReadInPlace(queue, random, timeout, bytes);
                }

                break;
        }
    }

    private static void WriteInPlace(SharedQueue queue, Random random, TimeSpan timeout)
    {
        if (!queue.BeginWrite(queue.MaxMessageLength, out SharedRoom room, timeout))
        {
            return;
        }

        using (room)
        {
            room.Span.Fill(0xFF);
            if (random.Next(4) > 0)
            {
                room.Commit(random.Next(room.Span.Length + 1));
            }
        }
    }

    private static void ReadInPlace(SharedQueue queue, Random random, TimeSpan timeout, byte[] bytes)
    {
        if (!queue.BeginRead(out SharedMessage message, timeout))
        {
            return;
        }

        using (message)
        {
            message.Span.CopyTo(bytes);
            if (random.Next(4) > 0)
            {
                message.Pass();
            }
        }
    }
}
