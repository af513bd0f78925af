using System.Buffers.Binary;
using Tarn.SharedMemory;

namespace Tarn.Fuzz.Targets;

/// <summary>Options: an input is their values. Either they are refused with the setting's name, or the created object works.</summary>
internal sealed class OptionsTarget : IFuzzTarget
{
    private const int LongestRent = 1 << 16;

    private readonly FuzzDirectory _directory = new();

    public string Name => "options";

    public long MostBytes => 16 << 20;

    public IEnumerable<byte[]> Seeds =>
        [
            new byte[64],
            Values(1 << 20, 1 << 24, 4, TimeSpan.FromSeconds(30).Ticks, 0, (long)BufferChecks.None, 0b1_1000_0000),
            Values(1, 0, 1, -TimeSpan.TicksPerMillisecond, 1, (long)BufferChecks.All, 0),
            Values(1 << 30, long.MaxValue, 2, 1, 2, (long)BufferChecks.SampledLeaks, 0b1_1011_0110),
            Values(0, -1, 3, TimeSpan.MaxValue.Ticks, 3, -1, -1),
        ];

    public void Run(byte[] input)
    {
        ValueReader values = new(input);
        int length = (int)values.Next();
        long? retained = values.Next() is var most && most != 0x55 ? most : null;
        int classes = (int)values.Next();
        TimeSpan idle = TimeSpan.FromTicks(values.Next());
        int choice = (int)values.Next();
        BufferChecks checks = (BufferChecks)values.Next();
        UnixFileMode mode = (UnixFileMode)values.Next();
        Try(() => UsePool(new BufferPoolOptions
        {
            MaxArrayLength = length,
            MaxRetainedBytes = retained,
            SizeClassesPerDoubling = classes,
            IdleTimeout = idle,
            Clearing = (BufferClearing)choice,
            Checks = checks,
            Pinned = (choice & 4) != 0,
        }));
        Try(() => UseHeap(new NativeHeapOptions
        {
            MaxRetainedBytes = retained,
            IdleTimeout = idle,
            Checks = checks,
            ClearOnFree = (choice & 1) != 0,
        }));
        Try(() => UseStream(() => new PooledMemoryStreamOptions
        {
            Clearing = (StreamClearing)choice,
            MaxCapacity = retained ?? long.MaxValue,
            ParallelCopyThreshold = classes,
        }));
        Try(() => UseRegion(new SharedRegionOptions { Mode = mode }));
    }

    /// <summary>A stream that may hold little says so with an <see cref="IOException"/>.</summary>
    public bool IsDocumented(Exception exception) => exception is ArgumentException or IOException or UnauthorizedAccessException;

    public void Dispose() => _directory.Dispose();

    private static byte[] Values(params long[] values)
    {
        byte[] bytes = new byte[values.Length * sizeof(long)];
        for (int i = 0; i < values.Length; i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(i * sizeof(long)), values[i]);
        }

        return bytes;
    }

    private static void UsePool(BufferPoolOptions options)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(options);
        Demand(Enum.IsDefined(options.Clearing), nameof(options.Clearing), options.Clearing);
        byte[] rented = pool.Rent(Math.Min(options.MaxArrayLength, LongestRent));
        rented[^1] = 1;
        pool.Return(rented);
        pool.Trim();
    }

    private static unsafe void UseHeap(NativeHeapOptions options)
    {
        using NativeHeap heap = new(options);
        byte* block = (byte*)heap.Allocate(100);
        block[99] = 1;
        heap.Free(block, 100);
        heap.Trim();
    }

    private static void UseStream(Func<PooledMemoryStreamOptions> make)
    {
        PooledMemoryStreamOptions options = make();
        using PooledMemoryStream stream = new(options);
        Demand(Enum.IsDefined(options.Clearing), nameof(options.Clearing), options.Clearing);
        stream.Write(new byte[1000]);
        stream.Position = 0;
        Demand(stream.Read(new byte[2000]) == 1000, nameof(stream.Length), stream.Length);
    }

    private void UseRegion(SharedRegionOptions options)
    {
        using SharedRegion region = SharedRegion.Create(_directory.Names, "fuzzed", 100, options);
        region.GetSpan(0, 100)[99] = 1;
    }

    private static void Demand(bool holds, string setting, object value)
    {
        if (!holds)
        {
            throw new InvalidProgramException($"{setting} is {value}, and nobody refused it.");
        }
    }

    private void Try(Action use)
    {
        try
        {
            use();
        }
        catch (Exception exception) when (IsDocumented(exception))
        {
            // These were refused; the same values are tried elsewhere.
        }
    }

    /// <summary>Numbers, one after the other; 0 when there are no more.</summary>
    private ref struct ValueReader(ReadOnlySpan<byte> bytes)
    {
        private ReadOnlySpan<byte> _left = bytes;

        internal long Next()
        {
            if (_left.Length < sizeof(long))
            {
                return 0;
            }

            long value = BinaryPrimitives.ReadInt64LittleEndian(_left);
            _left = _left[sizeof(long)..];
            return value;
        }
    }
}
