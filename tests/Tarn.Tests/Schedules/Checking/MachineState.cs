using System.Diagnostics.CodeAnalysis;

namespace Tarn.Tests.Schedules.Checking;

/// <summary>The memory and all threads at one moment.</summary>
internal sealed class MachineState
{
    internal MachineState(int[] memory, ThreadState[] threads)
    {
        Memory = memory;
        Threads = threads;
    }

    internal int[] Memory { get; }

    internal ThreadState[] Threads { get; }

    internal bool IsDone => Threads.All(static thread => thread.IsDone);

    internal MachineState Clone() => new([.. Memory], [.. Threads.Select(static thread => thread.Clone())]);

    /// <summary>The same bytes for the same state, and for no other.</summary>
    internal byte[] ToKey()
    {
        List<byte> key = new(64);
        foreach (int value in Memory)
        {
            key.Add(unchecked((byte)checked((sbyte)value)));
        }

        foreach (ThreadState thread in Threads)
        {
            thread.AddTo(key);
        }

        return [.. key];
    }

    /// <summary>Compares keys by their bytes.</summary>
    internal sealed class KeyComparer : IEqualityComparer<byte[]>
    {
        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode([DisallowNull] byte[] obj)
        {
            HashCode hash = default;
            hash.AddBytes(obj);
            return hash.ToHashCode();
        }
    }
}
