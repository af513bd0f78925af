namespace Tarn;
