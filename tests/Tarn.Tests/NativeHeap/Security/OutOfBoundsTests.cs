using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>one_byte, 32_byte and one_mbyte overflow and underflow, by a loop and by a copy.</summary>
public unsafe class OutOfBoundsTests : SecurityTest
{
    private const int OneMebibyte = 1 << 20;

    public static TheoryData<int, int, bool> Overflows => Combine([1, 32]);

    [Theory]
    [MemberData(nameof(Overflows))]
    public void Bytes_are_written_past_the_end(int length, int count, bool copies)
    {
        byte* block = AllocateHere((nuint)length);
        Write(block + length, count, copies);
        FreeHere(block);

        AssertFound(BufferIncidentKind.Overrun, (nuint)length, $"at offset{(count == 1 ? "" : "s")} {length}");
        Assert.Contains("past its end", Incidents.All[0].Detail, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Overflows))]
    public void Bytes_are_written_before_the_beginning(int length, int count, bool copies)
    {
        byte* block = AllocateHere((nuint)length);
        Write(block - count, count, copies);
        FreeHere(block);

        AssertFound(BufferIncidentKind.Overrun, (nuint)length, $"at offset{(count == 1 ? "" : "s")} -{count}");
        Assert.Contains("before its beginning", Incidents.All[0].Detail, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(500, false, true)]
    [LongInlineData(500, true, true)]
    [LongInlineData(5000, false, true)]
    [InlineData(200_000, true, true)]
    [InlineData(500, false, false)]
    [LongInlineData(500, true, false)]
    [InlineData(5000, true, false)]
    [LongInlineData(200_000, false, false)]
    public void A_mebibyte_is_written_over_the_neighbours(int length, bool copies, bool isOverflow)
    {
        nuint[] row = AllocateRow((nuint)length, isOverflow);
        byte* culprit = (byte*)row[isOverflow ? 0 : ^1];
        Write(isOverflow ? culprit + length : culprit - OneMebibyte, OneMebibyte, copies);

        FreeHere(culprit);
        Eventually.True(() => Incidents.Count > 0, "the overrun is found when the block is freed");
        AssertNamesBoth(Incidents.All[0]);
        Assert.Contains(
            isOverflow ? $"offsets {length} to" : "to -1, before its beginning", Incidents.All[0].Detail, StringComparison.Ordinal);

        // The heap continues, and reports the neighbours as well.
        Heap.Trim();
        Heap.Validate();
        Heap.Free(Heap.Allocate((nuint)length));
        foreach (nuint block in row)
        {
            if (block != (nuint)culprit)
            {
                Heap.Free((void*)block, (nuint)length);
            }
        }

        Heap.Validate();
        IncidentLog.WaitUntilHandled();
        Assert.All(Incidents.All, static incident => Assert.Equal(BufferIncidentKind.Overrun, incident.Kind));
        Assert.InRange(Incidents.Count, OneMebibyte / ((length * 2) + 1000), row.Length);
    }

    [Fact]
    public void A_trim_finds_an_overrun_while_the_block_is_in_use_and_reports_it_once()
    {
        byte* block = AllocateHere(100);
        block[100] = 0;
        Heap.Trim();

        BufferIncident incident = Incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.Overrun, incident.Kind);
        Assert.Contains("the byte at offset 100, past its end, is 00", incident.Detail, StringComparison.Ordinal);
        Assert.Null(incident.ReturnedAt);
        Heap.Trim();
        Heap.Free(block);
        Assert.Single(Incidents.All);
    }

    [Fact]
    public void An_overrun_is_found_by_a_reallocation()
    {
        byte* block = AllocateHere(100);
        block[101] = 0;
        byte* moved = Heap.Reallocate(block, 100, 200);

        Assert.Contains("offset 101", Incidents.WaitForOne().Detail, StringComparison.Ordinal);
        Heap.Free(moved, 200);
    }

    [Fact]
    public void An_overrun_is_found_when_the_heap_is_disposed()
    {
        CheckedHeapUnderTest heap = new(BufferChecks.Returns);
        using IncidentLog incidents = new(heap.Name);
        byte* block = heap.Allocate(100);
        block[-1] = 0;
        heap.Dispose();

        Assert.Contains("offset -1", incidents.WaitForOne().Detail, StringComparison.Ordinal);
    }

    [Fact]
    public void A_write_past_the_end_of_a_freed_block_is_found_as_well()
    {
        byte* block = AllocateHere(100);
        FreeHere(block);
        block[102] = 0;
        Heap.Trim();

        AssertFound(BufferIncidentKind.Overrun, 100, "offset 102");
    }

    [Fact]
    public void All_the_bytes_that_were_asked_for_may_be_written()
    {
        foreach (nuint size in Enumerable.Range(0, 300).Select(static size => (nuint)size).Append((nuint)(1 << 20)))
        {
            byte* block = Heap.Allocate(size);
            NativeMemory.Fill(block, size, 0);
            Heap.Free(block, size);
            byte* aligned = Heap.AllocateAligned(size, 512);
            NativeMemory.Fill(aligned, size, 255);
            Heap.FreeAligned(aligned, size, 512);
        }

        Incidents.AssertNone();
    }

    private static TheoryData<int, int, bool> Combine(int[] counts)
    {
        TheoryData<int, int, bool> all = [];
        foreach (int size in Sizes)
        {
            foreach (int count in counts)
            {
                all.Add(size, count, false);
                all.Add(size, count, true);
            }
        }

        return all;
    }

    private static void Write(byte* target, int count, bool copies)
    {
        if (copies)
        {
            byte[] source = new byte[count];
            Array.Fill(source, (byte)'A');
            Marshal.Copy(source, 0, (nint)target, count);
            return;
        }

        for (int i = 0; i < count; i++)
        {
            target[i] = (byte)'B';
        }
    }

    /// <summary>
    /// Blocks side by side, with more than a mebibyte between the first and the last, so that the write reaches no memory that is
    /// someone else's. In the order of addresses; the culprit is the first of them, or the last.
    /// </summary>
    private nuint[] AllocateRow(nuint size, bool isOverflow)
    {
        List<nuint> blocks = [];
        for (nuint total = 0; total < OneMebibyte + (OneMebibyte / 2); total += size + 64)
        {
            blocks.Add((nuint)AllocateHere(size));
        }

        blocks.Sort();
        for (int i = 1; i < blocks.Count; i++)
        {
            Assert.True(blocks[i] - blocks[i - 1] <= (2 * size) + 2000, "The source does not hand out equal blocks side by side.");
        }

        int last = isOverflow ? blocks.Count - 1 : blocks.FindIndex(block => block >= blocks[0] + OneMebibyte);
        blocks[(last + 1)..].ForEach(block => Heap.Free((void*)block, size));
        return [.. blocks[..(last + 1)]];
    }
}
