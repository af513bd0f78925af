using System.Buffers;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Tarn.Tests.Support;
using Tarn.Tests.Tidy;

namespace Tarn.Tests.Diagnostics;

public sealed unsafe class PoisonTests
{
    private const string Document = "docs/diagnostics-and-checks.md";
    private const string Heading = "## What a late read sees";

    private static readonly byte[] s_pattern = [.. Enumerable.Repeat(BufferDiagnostics.PoisonByte, 16)];

    public static TheoryData<string, string> Readings => new()
    {
        { "`byte`", Read<byte>() },
        { "`sbyte`", Read<sbyte>() },
        { "`short`", Read<short>() },
        { "`ushort`", Read<ushort>() },
        { "`int`", Read<int>() },
        { "`uint`", Read<uint>() },
        { "`long`", Read<long>() },
        { "`ulong`", Read<ulong>() },
        { "`float`", Read<float>() },
        { "`double`", Read<double>() },
        { "`Guid`", Read<Guid>() },
        { "`char`", $"U+{(int)MemoryMarshal.Read<char>(s_pattern):X4}, shown as {Encoding.UTF8.GetString("�"u8)}" },
        { "UTF-8 text", $"{Encoding.UTF8.GetString(s_pattern, 0, 4)}, a {Encoding.UTF8.GetString("�"u8)} for each byte" },
        { "pointer", $"0x{MemoryMarshal.Read<ulong>(s_pattern):X16}" },
        { "bytes in hexadecimal", string.Join(' ', s_pattern[..4].Select(static one => one.ToString("X2", CultureInfo.InvariantCulture))) },
    };

    [Theory]
    [MemberData(nameof(Readings))]
    public void The_document_has_each_reading_of_the_pattern(string type, string reading) =>
        Assert.Contains($"| {type} | {reading} |", Section, StringComparison.Ordinal);

    [Fact]
    public void A_late_reader_of_an_array_sees_the_pattern_and_nothing_is_reported()
    {
        using CheckedPool<int> tested = new(BufferChecks.All);
        int[] buffer = tested.Pool.Rent(100);
        buffer.AsSpan().Fill(1);
        tested.Pool.Return(buffer);

        Assert.All(buffer, static element => Assert.Equal(-606348325, element));
        tested.Pool.Trim();
        tested.Incidents.AssertNone();
    }

    [Theory]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.UseAfterReturn)]
    public void A_late_reader_of_a_native_block_sees_the_pattern(BufferChecks checks)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = checks });
        uint* block = (uint*)heap.Allocate(64);
        *block = 1;
        heap.Free(block);

        Assert.Equal(3688618971, *block);
    }

    [Fact]
    public void A_late_reader_of_references_sees_null()
    {
        using CheckedPool<string> tested = new(BufferChecks.All);
        string[] buffer = tested.Pool.Rent(10);
        buffer.AsSpan().Fill("");
        tested.Pool.Return(buffer);

        Assert.All(buffer, Assert.Null);
    }

    [Fact]
    public void A_disposed_owner_throws_at_a_late_reader_as_the_document_states()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All);
        IMemoryOwner<byte> owner = tested.Pool.LeaseMemory(100);
        Memory<byte> memory = owner.Memory;
        owner.Dispose();

        Assert.Throws<ObjectDisposedException>(() => memory.Span[0]);
    }

    [Fact]
    public void The_first_incident_of_a_process_explains_the_pattern_and_no_other_does()
    {
        (_, _, string error) = ChildProcess.RunToEnd(["exit"], limits: null, (BufferChecksEnvironment.Variable, "all"));
        Assert.Equal("", error);

        (_, _, error) = ChildProcess.RunToEnd(["repeated", "3", "places"], limits: null, (BufferChecksEnvironment.Variable, "all"));
        Assert.Equal(2, ChildProcess.Lines(error).Count(static line => line.StartsWith("Tarn: DoubleReturn", StringComparison.Ordinal)));
        string explanation = Assert.Single(ChildProcess.Lines(error), static line => line.Contains("0xDB", StringComparison.Ordinal));
        Assert.Contains("-606348325", explanation, StringComparison.Ordinal);
        Assert.EndsWith($"{Document} says more under \"{Heading[3..]}\".", explanation, StringComparison.Ordinal);
    }

    private static string Section => File.ReadAllText(Repository.At(Document)).Split(Heading)[1].Split("\n## ")[0];

    private static string Read<T>()
        where T : unmanaged, IFormattable => MemoryMarshal.Read<T>(s_pattern).ToString(null, CultureInfo.InvariantCulture);
}
