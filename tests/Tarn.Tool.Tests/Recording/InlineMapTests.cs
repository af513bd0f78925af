using System.Buffers.Binary;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

public class InlineMapTests
{
    private const int Garbage = -154_059_008;

    /// <summary>A calls B at 20, which calls C at 7; then A calls D at 30, whose code is where B's was not.</summary>
    private static readonly byte[] s_bytes = Bytes(
        [(0xA, Garbage, 1, 0), (0xB, Garbage, 3, 2), (0xD, 0, 0, 0), (0xC, Garbage, 0, 0)],
        [
            (0, 0, 0x10), (20, 0, 0x20), (0, 1, 0x24), (7, 1, 0x28), (0, 3, 0x30), (9, 1, 0x40), (-2, 0, 0x48), (30, 0, 0x50), (0, 2, 0x54),
            (4, 3, 0x60),
        ]);

    [Theory]
    [InlineData(0x08)]
    [InlineData(0x10, 0xA, 0)]
    [InlineData(0x22, 0xA, 20)]
    [InlineData(0x26, 0xB, 0, 0xA, 20)]
    [InlineData(0x30, 0xC, 0, 0xB, 7, 0xA, 20)]
    [InlineData(0x47, 0xB, 9, 0xA, 20)]
    [InlineData(0x58, 0xD, 0, 0xA, 30)]
    [InlineData(0x70, 0xC, 4, 0xB, 7, 0xA, 20)]
    public void An_offset_is_in_the_methods_that_were_inlined_there(int offset, params int[] methodsAndPlaces)
    {
        IReadOnlyList<CodePlace> places = InlineMap.Parse(s_bytes)!.Find(offset);

        Assert.Equal(methodsAndPlaces.Chunk(2).Select(pair => new CodePlace(pair[0], pair[1])), places);
    }

    [Fact]
    public void A_call_with_which_the_code_begins_is_in_the_first_statement() => Assert.Equal(
        [new CodePlace(0xB, 6), new CodePlace(0xA, 0)],
        InlineMap.Parse(Bytes([(0xA, 0, 1, 0), (0xB, 77, 0, 0)], [(6, 1, 0x10)]))!.Find(0x18));

    [Fact]
    public void Bytes_that_are_no_map_are_refused()
    {
        for (int length = 0; length < s_bytes.Length; length++)
        {
            Assert.Null(InlineMap.Parse(s_bytes.AsSpan(0, length)));
        }

        Assert.Null(InlineMap.Parse([.. s_bytes, 0]));
        byte[] endless = [.. s_bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(endless, uint.MaxValue);
        Assert.Null(InlineMap.Parse(endless));
    }

    [Fact]
    public void A_tree_with_a_circle_ends()
    {
        byte[] circle = Bytes([(0xA, 0, 1, 0), (0xB, 0, 2, 1), (0xC, 0, 1, 2)], [(0, 2, 0x10), (1, 9, 0x20), (1, -1, 0x20)]);

        Assert.Equal([0xC, 0xB, 0xA], InlineMap.Parse(circle)!.Find(0x30).Select(place => place.Method));
    }

    private static byte[] Bytes((long Method, int Place, int First, int Next)[] calls, (int Place, int Call, int Native)[] mappings)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(calls.Length);
        writer.Write(mappings.Length);
        foreach ((long method, int place, int first, int next) in calls)
        {
            writer.Write(method);
            writer.Write(place);
            writer.Write(first);
            writer.Write(next);
        }

        foreach ((int place, int call, int native) in mappings)
        {
            writer.Write(place);
            writer.Write(call);
            writer.Write(native);
            writer.Write((byte)2);
        }

        return stream.ToArray();
    }
}
