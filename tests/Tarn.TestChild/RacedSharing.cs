namespace Tarn.TestChild;

/// <summary>An owner of shared memory that is to be disposed beside its members, its other sides, and what passed through it.</summary>
/// <param name="name">The name of its memory, and the beginning of all its names.</param>
internal sealed class RacedSharing(string name) : IDisposable
{
    private readonly List<IDisposable> _others = [];
    private long _written;
    private long _read;

    internal string Name { get; } = name;

    /// <summary>The object that the members are of. Its kind is that of the race.</summary>
    internal object Owner { get; set; } = null!;

    /// <summary>The ways to dispose it.</summary>
    internal List<Action> Disposals { get; } = [];

    /// <summary>What must hold when it is disposed and the call has ended; returns what does not.</summary>
    internal Func<string?> Verify { get; set; } = static () => null;

    /// <summary>Set after the first disposal.</summary>
    internal volatile bool IsDisposed;

    /// <summary>What the calls that returned have written and read.</summary>
    internal long Written => Interlocked.Read(ref _written);

    internal long Read => Interlocked.Read(ref _read);

    internal byte[] Bytes { get; } = new byte[3000];

    internal T As<T>() => (T)Owner;

    /// <summary>Disposes it at the end of the race.</summary>
    internal T Keep<T>(T other)
        where T : IDisposable
    {
        _others.Add(other);
        return other;
    }

    internal static byte ByteAt(long position) => (byte)(position ^ (position >> 8));

    /// <summary>The next bytes to write.</summary>
    internal byte[] NextBytes(int length)
    {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = ByteAt(Written + i);
        }

        return bytes;
    }

    internal byte[] NextMessage() => BitConverter.GetBytes(Written);

    internal void HasWritten(long count = 1) => Interlocked.Add(ref _written, count);

    /// <summary>Verifies the message that was read, and counts it.</summary>
    internal void HasRead(ReadOnlySpan<byte> message)
    {
        long number = BitConverter.ToInt64(message);
        if (number != Read)
        {
            throw new InvalidOperationException($"Message {number} came, not {Read}.");
        }

        Interlocked.Increment(ref _read);
    }

    /// <summary>Verifies bytes that were read, and counts them.</summary>
    internal void HasReadBytes(ReadOnlySpan<byte> bytes)
    {
        foreach (byte one in bytes)
        {
            if (one != ByteAt(Read))
            {
                throw new InvalidOperationException($"Byte {Read} is another.");
            }

            _read++;
        }
    }

    public void Dispose()
    {
        _others.ForEach(static other => other.Dispose());
        Disposals.ForEach(static disposal => disposal());
    }
}
