using System.Runtime.InteropServices;

namespace Tarn.Tests.Support;

/// <summary>The pattern that many tests rely on detects changed contents.</summary>
public sealed unsafe class BlockContentsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(12)]
    [InlineData(100)]
    [InlineData(16 << 10)]
    [InlineData((16 << 10) + 4)]
    [InlineData(100_004)]
    public void Own_contents_are_accepted_and_foreign_writes_are_found(int size)
    {
        nuint length = (nuint)size;
        byte* block = (byte*)NativeMemory.Alloc(length);
        BlockContents.Write(block, length, 7);
        BlockContents.Verify(block, length, 7);
        BlockContents.VerifyStart(block, length, length / 2, 7);
        Assert.Throws<InvalidOperationException>(() => BlockContents.Verify(block, length, 8));
        foreach (nuint at in (nuint[])[0, (nuint)size - 1, size > 8192 ? 8192u : 0])
        {
            block[at] ^= 1;
            Assert.Contains($"byte {at}", Assert.Throws<InvalidOperationException>(() => BlockContents.Verify(block, length, 7)).Message);
            Assert.Throws<InvalidOperationException>(() => BlockContents.VerifyStart(block, length, at + 1, 7));
            BlockContents.VerifyStart(block, length, at, 7);
            block[at] ^= 1;
        }

        BlockContents.Fill(block, length, 9);
        Assert.True(BlockContents.IsAll(block, length, 9));
        block[size - 1] = 8;
        Assert.False(BlockContents.IsAll(block, length, 9));
        NativeMemory.Free(block);
    }
}
