using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Formats.Png;
using SixLabors.ImageSharp.Memory;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class ImageRecipes
{
    [Fact]
    public async Task An_image_lies_in_the_pool_and_travels_through_a_pooled_stream()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.All });
        using Image<Rgba32> drawn = Draw(1_500, 1_000);
        using PooledMemoryStream source = new();
        await drawn.SaveAsPngAsync(source);
        source.Position = 0;
        await Halve(pool, source);
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
    }

    private static async Task Halve(BufferPool<byte> pool, Stream source)
    {
        #region ImageSharp
        Configuration images = Configuration.Default.Clone();
        images.MemoryAllocator = new PoolAllocator(pool);
        using Image<Rgba32> image = await Image.LoadAsync<Rgba32>(images, source, new PngDecoder());
        image.Mutate(static image => image.Resize(image.GetCurrentSize() / 2));
        using PooledMemoryStream smaller = new();
        await image.SaveAsPngAsync(smaller);
        #endregion

        // Four bytes a pixel, in blocks of the pool.
        Assert.InRange(pool.GetStatistics().InUseBytes, 4 * 750 * 500, 8 * 750 * 500);
        using Image<Rgba32> empty = new(images, 750, 500);
        Assert.Equal(default, empty[400, 300]);
        smaller.Position = 0;
        using Image<Rgba32> copy = await Image.LoadAsync<Rgba32>(smaller);
        Assert.Equal((750, 500), (copy.Width, copy.Height));
        foreach ((int x, int y) in (ReadOnlySpan<(int, int)>)[(100, 100), (600, 100), (100, 400), (600, 400)])
        {
            Assert.Equal(ColorAt(2 * x, 2 * y), copy[x, y]);
        }
    }

    /// <summary>An image of four quarters in four colors.</summary>
    private static Image<Rgba32> Draw(int width, int height)
    {
        Image<Rgba32> image = new(width, height);
        for (int y = 0; y < height; y++)
        {
            for (int x = 0; x < width; x++)
            {
                image[x, y] = ColorAt(x, y);
            }
        }

        return image;
    }

    private static Rgba32 ColorAt(int x, int y) => new((byte)(x < 750 ? 200 : 20), (byte)(y < 500 ? 130 : 30), 77, 255);

    #region ImageSharp, an allocator
    private sealed class PoolAllocator(BufferPool<byte> pool) : MemoryAllocator
    {
        /// <summary>An image of more bytes is several blocks.</summary>
        protected override int GetBufferCapacityInBytes() => 4 << 20;

        public override IMemoryOwner<T> Allocate<T>(int length, AllocationOptions options = AllocationOptions.None)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(length);
            IMemoryOwner<byte> bytes = pool.LeaseMemory(checked(length * Unsafe.SizeOf<T>()));
            if (options == AllocationOptions.Clean)
            {
                bytes.Memory.Span.Clear();
            }

            return new Pixels<T>(bytes);
        }

        /// <summary>Bytes of the pool as pixels.</summary>
        private sealed class Pixels<T>(IMemoryOwner<byte> bytes) : MemoryManager<T>
            where T : struct
        {
            public override Span<T> GetSpan() => MemoryMarshal.Cast<byte, T>(bytes.Memory.Span);

            public override MemoryHandle Pin(int elementIndex = 0) => bytes.Memory[(elementIndex * Unsafe.SizeOf<T>())..].Pin();

            public override void Unpin()
            {
            }

            protected override void Dispose(bool disposing) => bytes.Dispose();
        }
    }
    #endregion
}
