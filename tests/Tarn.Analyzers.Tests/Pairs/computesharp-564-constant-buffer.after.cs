// Sergio0694/ComputeSharp#564: the array that an effect's constants were read into was not returned.
// The fix returns it when the shader has been made of it.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

internal interface IShader
{
    void Initialize(ReadOnlySpan<byte> data);
}

internal unsafe struct Effect
{
    public fixed byte Data[256];

    public int GetValue(byte* data, uint size)
    {
        fixed (byte* source = Data)
        {
            Buffer.MemoryCopy(source, data, size, size);
        }

        return 0;
    }
}

internal static unsafe class EffectExtensions
{
    public static T GetConstantBuffer<T>(this ref Effect effect)
        where T : unmanaged, IShader
    {
        int size = sizeof(T);

        if (size == 0)
        {
            return default;
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(size);

        fixed (byte* p = buffer)
        {
            int result = effect.GetValue(p, (uint)size);
            if (result < 0)
            {
                // The reduction adds this return.
                ArrayPool<byte>.Shared.Return(buffer);
                throw new InvalidOperationException();
            }
        }

        Unsafe.SkipInit(out T shader);

        shader.Initialize(buffer.AsSpan(0, size));

        ArrayPool<byte>.Shared.Return(buffer);

        return shader;
    }
}
