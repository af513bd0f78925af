// SixLabors/ImageSharp#2124 (commit f15b336f8): the owner of the temporary samples was declared in the block of the if,
// so it was disposed before the span over it was decoded. The fix decodes inside the block.
using System;
using System.Buffers;

internal class YCbCrColor(MemoryAllocator allocator, ushort[]? subSampling)
{
    public void Decode(ReadOnlySpan<byte> data, uint[] pixels, int left, int top, int width, int height)
    {
        ReadOnlySpan<byte> samples = data;
        if (subSampling != null && !(subSampling[0] == 1 && subSampling[1] == 1))
        {
            int paddedWidth = width + 4;
            int paddedHeight = height + 4;
            int requiredBytes = paddedWidth * paddedHeight * 3;
            using IMemoryOwner<byte> temporary = allocator.Allocate<byte>(requiredBytes);
            Span<byte> span = temporary.Memory.Span;
            ReverseSubSampling(width, height, subSampling[0], subSampling[1], data, span);
            samples = span;
            DecodeSamples(pixels, left, top, width, height, samples);
            return;
        }

        DecodeSamples(pixels, left, top, width, height, samples);
    }

    private void DecodeSamples(uint[] pixels, int left, int top, int width, int height, ReadOnlySpan<byte> samples)
    {
        int offset = 0;
        for (int y = top; y < top + height; y++)
        {
            for (int x = 0; x < width; x++)
            {
                pixels[(y * width) + left + x] = Convert(samples.Slice(offset, 3));
                offset += 3;
            }
        }
    }

    private static uint Convert(ReadOnlySpan<byte> sample) => (uint)(sample[0] | (sample[1] << 8) | (sample[2] << 16));

    private static void ReverseSubSampling(int width, int height, int horizontal, int vertical, ReadOnlySpan<byte> source, Span<byte> target)
    {
        for (int i = 0; i < width * height * 3; i++)
        {
            target[i] = source[i / (horizontal * vertical)];
        }
    }
}

internal abstract class MemoryAllocator
{
    public abstract IMemoryOwner<T> Allocate<T>(int length)
        where T : struct;
}
