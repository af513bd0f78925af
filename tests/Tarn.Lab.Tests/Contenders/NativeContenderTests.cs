using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Contenders;

public unsafe class NativeContenderTests
{
    [Fact]
    public void Ours_comes_first_then_NativeMemory_and_every_peer_that_is_present()
    {
        string[] present = [.. NativePeers.All.Where(peer => peer.IsPresent).Select(peer => peer.Name)];

        Assert.Equal(
            [NativeNames.TarnHeap, NativeNames.NativeMemory, .. present], NativeContenders.All.Select(contender => contender.Name));
        Assert.Contains(NativeNames.CLibrary, present);
        Assert.Equal(NativeContenders.All.Skip(1), NativeContenders.Peers);
    }

    [Fact]
    public void Every_contender_hands_out_blocks_that_keep_their_contents_apart()
    {
        NativeContender[] ours =
        [
            NativeContender.Of(NativeNames.TarnUnsized, default(TarnUnsized)),
            NativeContender.Of(NativeNames.TarnConstant, default(TarnConstant<Guid>)),
            NativeContender.Of(NativeNames.TarnHeapInstance, new TarnHeapInstance(new NativeHeap())),
            NativeContender.Of(NativeNames.TarnBounded, new TarnBounded(new NativeHeap())),
            NativeContender.Of(
                NativeNames.TarnNoStatistics, new TarnNoStatistics(new NativeHeap(new NativeHeapOptions { Statistics = false }))),
        ];

        Assert.All(NativeContenders.All.Concat(ours), contender => Assert.Equal(contender.Name, contender.Accept(new BlocksKept())));
    }

    [Fact]
    public void Every_reallocator_keeps_the_contents_of_the_block()
    {
        Assert.Equal(7, Moved(default(TarnHeap)));
        Assert.Equal(7, Moved(new TarnHeapInstance(new NativeHeap())));
        Assert.Equal(7, Moved(default(NativeMemoryAllocator)));
        Assert.Equal(7, Moved(default(GlibcMalloc)));
        Assert.Equal(7, NativePeers.Mimalloc.IsPresent ? Moved(default(Mimalloc)) : 7);
        Assert.Equal(7, NativePeers.Jemalloc.IsPresent ? Moved(default(Jemalloc)) : 7);
        Assert.Equal(7, NativePeers.Tcmalloc.IsPresent ? Moved(default(SizedFreeAllocator<Tcmalloc>)) : 7);
        Assert.Equal(7, NativePeers.Snmalloc.IsPresent ? Moved(default(SizedFreeAllocator<Snmalloc>)) : 7);
        Assert.Equal(7, NativePeers.GoogleTcmalloc.IsPresent ? Moved(default(SizedFreeAllocator<GoogleTcmalloc>)) : 7);
    }

    [Fact]
    public void A_contender_is_found_by_its_name_and_otherwise_the_error_lists_the_names()
    {
        Assert.Same(NativeContenders.All[1], NativeContenders.Find(NativeNames.NativeMemory));

        string message = Assert.Throws<InvalidDataException>(() => NativeContenders.Find("nope")).Message;
        Assert.StartsWith(
            $"There is no native allocator named nope. Use one of: {NativeNames.TarnHeap}, ", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_peer_that_is_not_installed_is_absent_and_the_report_says_how_to_install_it()
    {
        var missing = new NativePeer("smalloc", "libsmalloc1", "libtarn-lab-has-no-such-library.so.1");
        var other = new NativePeer("other", "libother2", "libtarn-lab-has-no-such-library.so.2");

        Assert.False(missing.IsPresent);
        Assert.False(missing.LacksThreadStorage());
        Assert.Equal("smalloc is not on this system.", Assert.Throws<DllNotFoundException>(() => missing.Find("malloc")).Message);
        Assert.Equal("", NativePeers.DescribeMissing([NativePeers.CLibrary]));
        Assert.Equal(
            " Not on this system, so not measured: smalloc, other; on Debian and Ubuntu: apt install libsmalloc1 libother2.",
            NativePeers.DescribeMissing([missing, NativePeers.CLibrary, other]));
    }

    [Fact]
    public void The_C_librarys_functions_are_found_and_others_are_not()
    {
        Assert.True(NativePeers.CLibrary.IsPresent);
        Assert.NotEqual(0, NativePeers.CLibrary.Find("malloc"));
        Assert.Throws<EntryPointNotFoundException>(() => NativePeers.CLibrary.Find("tarn_lab_has_no_such_function"));
    }

    [Theory]
    [InlineData(NativeNames.TarnHeap, "nativeheap-shared", true)]
    [InlineData(NativeNames.TarnConstant, "nativeheap-allocate-t", true)]
    [InlineData(NativeNames.TarnPressure, "nativeheap-pressure", true)]
    [InlineData(NativeNames.NativeMemory, "nativememory", false)]
    [InlineData(NativeNames.TarnScope, "nativescope", true)]
    [InlineData(NativeNames.NewArray, "new-byte", false)]
    [InlineData(NativeNames.Tcmalloc, "tcmalloc", false)]
    public void A_name_identifies_its_contender_and_has_an_id(string name, string id, bool ours)
    {
        Assert.Equal(ours ? SeriesRole.Ours : SeriesRole.Peer, PoolNames.RoleOf(name));
        Assert.Equal(id, NativeNames.Id(name));
    }

    [Fact]
    public void The_C_library_has_the_same_id_whatever_it_is_called()
    {
        Assert.EndsWith("malloc", NativeNames.CLibrary, StringComparison.Ordinal);
        Assert.Equal("malloc", NativeNames.Id(NativeNames.CLibrary));
    }

    private static int Moved<TAllocator>(TAllocator allocator)
        where TAllocator : struct, IReallocator
    {
        int* block = (int*)allocator.Allocate(sizeof(int));
        *block = 7;
        block = (int*)allocator.Reallocate(block, sizeof(int), 1 << 20);
        // The last byte belongs to it now.
        ((byte*)block)[(1 << 20) - 1] = 1;
        int held = *block;
        allocator.Free(block, 1 << 20);
        return held;
    }

    /// <summary>Fills blocks with different values, then reads them all; the name when every one is as it was written.</summary>
    private sealed class BlocksKept : INativeVisitor<string>
    {
        public const int Size = 16;
        private const int Count = 300;

        public string Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator
        {
            var blocks = new nint[Count];
            for (int index = 0; index < Count; index++)
            {
                blocks[index] = (nint)allocator.Allocate(Size);
                new Span<byte>((void*)blocks[index], Size).Fill((byte)index);
            }

            bool kept =
                blocks.Index().All(block => new ReadOnlySpan<byte>((void*)block.Item, Size).IndexOfAnyExcept((byte)block.Index) < 0);
            foreach (nint block in blocks)
            {
                allocator.Free((void*)block, Size);
            }

            return kept ? name : $"{name} gave one place to two blocks";
        }
    }
}
