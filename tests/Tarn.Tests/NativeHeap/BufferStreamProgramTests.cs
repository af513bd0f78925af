#pragma warning disable CA1835 // the overloads over arrays are tested as well

using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Random programs over a buffer's stream and a fixed memory stream of the same length: they do the same.</summary>
public sealed class BufferStreamProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 500);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 4);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public async Task It_behaves_as_a_memory_stream(int seed)
    {
        Random random = new(seed);
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        foreach (int length in (int[])[0, 1, 100, random.Next(1, 5000)])
        {
            byte[] model = new byte[length];
            using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(length, new() { Zeroed = true });
            using Stream ours = buffer.AsStream();
            using MemoryStream theirs = new(model);
            for (int step = 0; step < s_steps; step++)
            {
                int operation = random.Next(14);
                int argument = random.Next(-10, (length * 5 / 4) + 10);
                string expected = await Step(theirs, operation, argument, seed: step);
                string actual = await Step(ours, operation, argument, seed: step);
                Assert.True(
                    expected == actual && model.AsSpan().SequenceEqual(buffer.GetSpan()),
                    $"Seed {seed}, length {length}, step {step}, operation {operation} of {argument}: {expected} became {actual}.");
            }
        }
    }

    /// <summary>Makes one call and returns everything observable about it.</summary>
    private static async Task<string> Step(Stream stream, int operation, int argument, int seed)
    {
        byte[] bytes = new byte[Math.Max(argument, 0) + 3];
        new Random(seed).NextBytes(bytes);
        int count = Math.Max(argument, 0);
        object? result;
        try
        {
            result = operation switch
            {
                0 => stream.Read(bytes, 1, count),
                1 => stream.Read(bytes.AsSpan(2, count)),
                2 => await stream.ReadAsync(bytes, 1, count),
                3 => await stream.ReadAsync(bytes.AsMemory(2, count)),
                4 => stream.ReadByte(),
                5 => stream.Seek(argument, (SeekOrigin)(seed % 3)),
                6 or 7 => stream.Position = argument,
                _ => await Write(stream, operation, bytes, count),
            };
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or IOException)
        {
            result = e.GetType().Name;
        }

        return $"{result} at {stream.Position} of {stream.Length}: {Convert.ToHexString(bytes)}";
    }

    private static async Task<object?> Write(Stream stream, int operation, byte[] bytes, int count)
    {
        using MemoryStream copy = new();
        switch (operation)
        {
            case 8:
                stream.Write(bytes, 1, count);
                return null;
            case 9:
                stream.Write(bytes.AsSpan(2, count));
                return null;
            case 10:
                await stream.WriteAsync(bytes, 1, count);
                return null;
            case 11:
                stream.WriteByte(bytes[0]);
                return null;
            case 12:
                stream.CopyTo(copy);
                return Convert.ToHexString(copy.ToArray());
            default:
                await stream.CopyToAsync(copy);
                return Convert.ToHexString(copy.ToArray());
        }
    }
}
