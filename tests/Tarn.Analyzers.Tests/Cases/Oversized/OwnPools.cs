using System.Buffers;
using System.IO;

/// <summary>Pools of the program's own that derive from the base library's, whose name for the length says what they promise.</summary>
internal static class OwnPools
{
    internal static void Loose(Stream target, int length)
    {
        byte[] buffer = LoosePool.Instance.Rent(length);
        target.Write(buffer); // expect TARN007
        LoosePool.Instance.Return(buffer);
    }

    internal static void LooseCut(Stream target, int length)
    {
        byte[] buffer = LoosePool.Instance.Rent(length);
        target.Write(buffer, 0, length);
        LoosePool.Instance.Return(buffer);
    }

    internal static void Exact(Stream target, int length)
    {
        byte[] buffer = ExactPool.Instance.Rent(length);
        target.Write(buffer);
        ExactPool.Instance.Return(buffer);
    }

    internal static void Named(Stream target, int length)
    {
        byte[] buffer = NamedPool.Instance.Rent(length);
        target.Write(buffer);
        NamedPool.Instance.Return(buffer);
    }

    private sealed class LoosePool : ArrayPool<byte>
    {
        internal static readonly LoosePool Instance = new();

        public override byte[] Rent(int minimumLength) => new byte[(minimumLength + 4095) & ~4095];

        public override void Return(byte[] array, bool clearArray = false)
        {
        }
    }

    private sealed class ExactPool : ArrayPool<byte>
    {
        internal static readonly ExactPool Instance = new();

        public override byte[] Rent(int minimumLength) => new byte[minimumLength];

        public override void Return(byte[] array, bool clearArray = false)
        {
        }
    }

    private sealed class NamedPool : ArrayPool<byte>
    {
        internal static readonly NamedPool Instance = new();

        public override byte[] Rent(int exactLength) => Make(exactLength);

        public override void Return(byte[] array, bool clearArray = false)
        {
        }

        private static byte[] Make(int length) => new byte[length];
    }
}
